# SPDX-License-Identifier: BSD-3-Clause
"""The parts of felt_import.py: the nodes of a graph (graph) become statements (writer), each by the function
of its operator (operators, which collects them), and those the call of a class in C++ (header)."""


class Refused(Exception):
    """One line for the user."""


def refuse(node, what):
    raise Refused(f"operator {node.op_type} ('{node.name}'): {what}")
