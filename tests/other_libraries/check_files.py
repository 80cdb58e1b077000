# SPDX-License-Identifier: BSD-3-Clause
#
# .npy and .npz files both ways: NumPy reads what Felt wrote, and Felt what NumPy wrote.
import subprocess
import sys
import tempfile

import numpy as np

program = sys.argv[1]
x = np.arange(6).reshape(2, 3)
arrays = {
    "c": x.astype(np.float32),
    "f": np.asfortranarray(x.astype(np.float64)),
    "mask": x > 2,
    "bytes": x.astype(np.uint8),
    "complex": x.astype(np.complex64),
    "empty": np.zeros((2, 0, 3), np.int32),
    "one": np.array(7, np.int64),
}
named = {"w": np.asfortranarray(x.astype(np.float32)), "k": x.astype(np.int64), "rate": np.float64(0.5)}


def expect_equal(got, wanted):
    assert got.dtype == wanted.dtype and got.shape == wanted.shape, (got.dtype, got.shape)
    np.testing.assert_array_equal(got, wanted)


with tempfile.TemporaryDirectory() as folder:
    subprocess.run([program, "write", folder], check=True)
    for name, array in arrays.items():
        expect_equal(np.load(f"{folder}/{name}.npy"), array)
    assert np.load(f"{folder}/f.npy").flags.f_contiguous
    expect_equal(np.load(f"{folder}/reversed.npy"), arrays["c"][:, ::-1])
    for name in "stored", "deflated":
        with np.load(f"{folder}/{name}.npz") as archive:
            assert sorted(archive) == sorted(named)
            for key, array in named.items():
                expect_equal(archive[key], np.asarray(array))

with tempfile.TemporaryDirectory() as folder:
    for name, array in arrays.items():
        np.save(f"{folder}/{name}.npy", array)
    np.save(f"{folder}/swapped.npy", x.astype(">f4"))
    np.savez(f"{folder}/stored.npz", **named)
    np.savez_compressed(f"{folder}/deflated.npz", **named)
    subprocess.run([program, "read", folder], check=True)
print("both read each other's files")
