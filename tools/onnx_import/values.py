# SPDX-License-Identifier: BSD-3-Clause
"""Values of a graph in C++, and the memory that those share which do not live at the same time."""

import numpy as np

from .cpp import braced_list


class Value:
    """A value of the graph in C++: its code, its extents, and whether it lies in memory."""

    def __init__(self, code, shape, in_memory, lies=None, inner=None):
        self.code, self.shape, self.in_memory = code, tuple(shape), in_memory
        self.lies = lies      # (buffer, array): how it lies there, by the array's address and strides
        self.inner = inner    # the value of which this is one with further axes of extent 1
        self.flattened = None  # the extents of the images of which these are rows, channels last

    @property
    def rank(self):
        return len(self.shape)


class Part(Value):
    """Elements of a buffer in another shape, as they lie. It has a name once somebody reads it."""

    def __init__(self, writer, buffer, array):
        self.writer, self.name = writer, None
        super().__init__(None, array.shape, True, (buffer, array))

    @property
    def code(self):
        if self.name is None:
            self.name = self.writer.part(*self.lies)
        return self.name

    @code.setter
    def code(self, _):
        pass


class Buffer:
    """A value that lies in the memory which all of them share, while somebody reads it."""

    def __init__(self, name, shape, images):
        self.name, self.shape, self.images, self.names = name, tuple(shape), images, [name]
        self.floats, self.offset = (int(np.prod(shape)) + 15) // 16 * 16, 0
        # One byte for each element: what its addresses and strides are is what the buffer's are.
        n, c, h, w = shape if images else (0, 0, 0, 0)
        self.array = np.empty((n, h, w, c), np.int8).transpose(0, 3, 1, 2) if images else np.empty(shape, np.int8)

    def declared(self):
        layout = "<felt::ChannelsLast>" if self.images else ""
        place = f"memory.data() + {self.offset}" if self.offset else "memory.data()"
        return f"auto const {self.name} = felt::view{layout}({place}, {braced_list(self.shape)});"


def share(buffers, lifetimes):
    """Gives each buffer its offset, the largest first at the lowest where no other lives; floats in all."""
    placed = []
    for b in sorted(buffers, key=lambda b: -b.floats):
        first, last = lifetimes[b]
        beside = sorted((o for o in placed if lifetimes[o][0] <= last and first <= lifetimes[o][1]),
                        key=lambda o: o.offset)
        for o in beside:
            if b.offset + b.floats <= o.offset:
                break
            b.offset = max(b.offset, o.offset + o.floats)
        placed.append(b)
    return max((b.offset + b.floats for b in buffers), default=0)


def inserted_axes(old, new):
    """The axes of extent 1 that make `new` of `old`, in this order; None if more has changed."""
    axes, rest = [], list(old)
    for axis, extent in enumerate(new):
        if rest and rest[0] == extent:
            rest.pop(0)
        elif extent == 1:
            axes.append(axis)
        else:
            return None
    return None if rest else axes


def one_more_axis(x, axis):
    shape = (*x.shape[:axis], 1, *x.shape[axis:])
    return Value(f"felt::expand_dims<{axis}>({x.code})", shape, True, inner=x)
