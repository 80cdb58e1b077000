# SPDX-License-Identifier: BSD-3-Clause
"""Memory that PyTorch and NumPy free stays with the process, in large pages where the system gives them.

They allocate each result anew. From glibc, 32 MiB and more are pages that nobody has touched, which cost more than
most statements (`x + 1` of 64 MiB: 27 ms instead of 12), and Felt's results are written to memory that is there.
"""
import os
import sys

TUNABLES = ("glibc.malloc.mmap_max=0:glibc.malloc.trim_threshold=1099511627776:"
            "glibc.malloc.hugetlb=1")


def keep():
    """Begins the program again, once, with an allocator that keeps memory; for the top of a script."""
    if sys.platform == "linux" and "GLIBC_TUNABLES" not in os.environ:
        os.environ["GLIBC_TUNABLES"] = TUNABLES
        os.execv(sys.executable, [sys.executable, *sys.orig_argv[1:]])
