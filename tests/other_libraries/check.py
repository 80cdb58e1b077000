# SPDX-License-Identifier: BSD-3-Clause
#
# The modules of Python, with NumPy's arrays and, where it is found, PyTorch's tensors: results are
# right, and whatever is said to be written is written where it lies.
import gc
import sys

import numpy as np

sys.path[:0] = sys.argv[1:]
import felt_capsules
import felt_example

try:
    import torch
except ImportError:
    torch = None
    print("Skipped: PyTorch's tensors, PyTorch was not found")


def expect_refusal(call, *words):
    try:
        call()
    except (TypeError, ValueError, RuntimeError, BufferError) as error:
        for word in words:
            assert word in str(error), (word, str(error))
        return
    raise AssertionError("this was not refused")


def operands(seed=1):
    random = np.random.default_rng(seed)
    shapes = (4, 5), (5, 6), (4,)
    return [random.standard_normal(shape, dtype=np.float32) for shape in shapes]


def by_numpy(w, x, b):
    return 1 / (1 + np.exp(-(w.astype(np.float64) @ x + b[:, None])))


# A destination is written, by whatever strides; what is between its elements is not.
w, x, b = operands()
y = np.zeros((4, 6), np.float32)
at = y.ctypes.data
felt_example.layer(w, x, b, y)
assert y.ctypes.data == at
np.testing.assert_allclose(y, by_numpy(w, x, b), rtol=1e-5)
memory = np.full((8, 12), 7, np.float32)
felt_example.layer(w, x, b, memory[::2, ::-2])
np.testing.assert_allclose(memory[::2, ::-2], by_numpy(w, x, b), rtol=1e-5)
assert (memory[1::2] == 7).all() and (memory[:, ::2] == 7).all()

# Operands by strides: reversed, transposed, broadcast (stride 0, read only), and empty ones.
felt_example.layer(w[::-1, ::-1], x.T.copy().T, np.broadcast_to(b[:1], (4,)), y)
np.testing.assert_allclose(y, by_numpy(w[::-1, ::-1], x, np.repeat(b[0], 4)), rtol=1e-5)
felt_example.layer(np.zeros((0, 5), np.float32), x, b[:0], np.zeros((0, 6), np.float32))

# A destination that is an operand as well reads as if all came before the first write.
square = operands()[0][:, :4].copy()
expected = by_numpy(square, square.T, b)
felt_example.layer(square, square.T, b, square)
np.testing.assert_allclose(square, expected, rtol=1e-5)

# What does not fit is refused, and nothing is converted on the way.
expect_refusal(lambda: felt_example.layer(w.astype(np.float64), x, b, y), "incompatible")
expect_refusal(lambda: felt_example.layer(w, x, b, y.astype(np.float64)), "incompatible")
expect_refusal(lambda: felt_example.layer(w, x, b, y[0]), "incompatible")
expect_refusal(lambda: felt_example.layer(w, x, b, y[:3]), "(4, 6) does not fit (3, 6)")
frozen = y.copy()
frozen.flags.writeable = False
expect_refusal(lambda: felt_example.layer(w, x, b, frozen), "incompatible")
same = np.lib.stride_tricks.as_strided(y, (4, 6), (0, 4))
expect_refusal(lambda: felt_example.layer(w, x, b, same), "show an element twice")
odd = np.frombuffer(bytearray(97), np.uint8)[1:].view(np.float32).reshape(4, 6)
expect_refusal(lambda: felt_example.layer(w, x, b, odd), "not aligned to 4 bytes")

# A result is NumPy's, and lives as long as NumPy wants.
s = felt_example.softmax(x)
part = s[1:, 1:]
del s
gc.collect()
e = np.exp(x - x.max(1, keepdims=True))
np.testing.assert_allclose(part, (e / e.sum(1, keepdims=True))[1:, 1:], rtol=1e-5)

# DLPack's capsules: NumPy's array is written where it lies; ours is NumPy's without a copy.
a = np.arange(6, dtype=np.float32).reshape(2, 3)
before = sys.getrefcount(a)
assert felt_capsules.twice(a.__dlpack__()) == a.ctypes.data
assert (a == [[0, 2, 4], [6, 8, 10]]).all()
assert sys.getrefcount(a) == before, "the array was not let go once"
assert felt_capsules.twice(a[::-1].__dlpack__()) == a[::-1].ctypes.data
assert felt_capsules.total(np.ones((3, 4))[:, ::-2].__dlpack__()) == 6
expect_refusal(lambda: felt_capsules.total(a.__dlpack__()), "elements are float32, not float64")
assert sys.getrefcount(a) == before, "a refused array was not let go once"
expect_refusal(lambda: felt_capsules.total(np.ones(3).__dlpack__()), "an array of 1 axes, not 2")
taken = np.from_dlpack(felt_capsules.Producer())
gc.collect()
assert (taken == [[0, 1, 2], [3, 4, 5]]).all()
del taken
count = felt_capsules.allocated()
for _ in range(3):
    np.from_dlpack(felt_capsules.Producer())
assert felt_capsules.allocated() == count + 3, "one tensor each"

if torch:
    tensors = [torch.from_numpy(operand) for operand in operands(2)]
    z = torch.zeros(6, 4).T  # by columns
    at = z.data_ptr()
    felt_example.layer(*tensors, z)
    assert z.data_ptr() == at
    torch.testing.assert_close(z, torch.sigmoid(tensors[0] @ tensors[1] + tensors[2][:, None]))
    expect_refusal(lambda: felt_example.layer(*tensors, z.double()))
    t = torch.arange(6.0).reshape(2, 3)
    assert felt_capsules.twice(torch.utils.dlpack.to_dlpack(t)) == t.data_ptr()
    assert t.tolist() == [[0, 2, 4], [6, 8, 10]]
    assert torch.from_dlpack(felt_capsules.Producer()).tolist() == [[0, 1, 2], [3, 4, 5]]
print("as NumPy says" + (", and PyTorch" if torch else ""))
