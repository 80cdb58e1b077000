# SPDX-License-Identifier: BSD-3-Clause
"""What the NumPy programs of this folder share, as recipe.hpp: a command line, a stopwatch, a grey
picture; and Felt's random numbers, so that both compute with the same. Needs NumPy."""
import argparse
import os
import struct
import time
import zlib

for name in ("OPENBLAS_NUM_THREADS", "OMP_NUM_THREADS", "MKL_NUM_THREADS"):
    os.environ.setdefault(name, "1")  # read when NumPy is loaded

import numpy as np  # noqa: E402


class Recipe:
    def __init__(self, does, size, unit, least=1, draws=False):
        options = argparse.ArgumentParser(description=does)
        options.add_argument("--size", type=int, default=size, metavar="N", help=unit)
        options.add_argument("--times", type=int, default=5, metavar="N",
                             help="runs, of which the fastest counts")
        if draws:
            options.add_argument("--picture", metavar="FILE", help="PNG file to write")
        self.given = options.parse_args()
        if self.given.size < least:
            options.error(f"--size: at least {least}")
        self.size = self.given.size

    def best_of(self, f):
        """What f() returns; runs it --times times and prints the shortest."""
        best, result = 1e9, None
        for _ in range(self.given.times):
            result = None
            start = time.perf_counter()
            result = f()
            best = min(best, time.perf_counter() - start)
        print(f"best of {self.given.times}: {1e3 * best:.6g} ms")
        return result

    def draw(self, grey):
        """Writes numbers from 0, black, to 1, white, to the PNG file of --picture."""
        if not self.given.picture:
            return
        rows = np.round(255 * np.clip(grey, 0, 1)).astype(np.uint8)
        packed = zlib.compress(b"".join(b"\0" + row.tobytes() for row in rows))
        head = struct.pack(">IIBBBBB", rows.shape[1], rows.shape[0], 8, 0, 0, 0, 0)
        with open(self.given.picture, "wb") as f:
            f.write(b"\x89PNG\r\n\x1a\n")
            for kind, data in ((b"IHDR", head), (b"IDAT", packed), (b"IEND", b"")):
                f.write(struct.pack(">I", len(data)) + kind + data)
                f.write(struct.pack(">I", zlib.crc32(kind + data)))
        print(f"picture: {self.given.picture}")


def _words(count, stream, seed):
    """Philox 4x32-10 of the counters 0, 1, ..: count words of 32 bits, in order."""
    low = np.uint64(0xFFFFFFFF)
    n = np.arange((count + 3) // 4, dtype=np.uint64)
    w = [n & low, n >> np.uint64(32), np.full_like(n, stream), np.zeros_like(n)]
    for i in range(10):
        k0 = np.uint64((seed + i * 0x9E3779B9) & 0xFFFFFFFF)
        k1 = np.uint64(((seed >> 32) + i * 0xBB67AE85) & 0xFFFFFFFF)
        p0, p2 = w[0] * np.uint64(0xD2511F53), w[2] * np.uint64(0xCD9E8D57)
        w = [(p2 >> np.uint64(32)) ^ w[1] ^ k0, p2 & low, (p0 >> np.uint64(32)) ^ w[3] ^ k1, p0 & low]
    return np.stack(w, axis=1).reshape(-1)[:count]


def uniform(extents, seed):
    """felt::uniform<float>(extents, seed): in [0, 1)."""
    words = _words(int(np.prod(extents)), 0, seed)
    return ((words >> np.uint64(8)) * 2.0**-24).astype(np.float32).reshape(extents)


def normal(extents, seed):
    """felt::normal<float>(extents, seed): Box and Muller's, to rounding."""
    count = int(np.prod(extents))
    a, b = _words(count + count % 2, 1, seed).reshape(-1, 2).T
    radius = np.sqrt(-2 * np.log(((a >> np.uint64(1)) + 0.5) * 2.0**-31))
    turn = (((b << np.uint64(2) & np.uint64(0xFFFFFFFF)) >> np.uint64(8)) * 2.0**-24 - 0.5) / 4
    c = np.where(b >> np.uint64(31), -1, 1) * radius * np.cos(2 * np.pi * turn)
    s = radius * np.sin(2 * np.pi * turn)
    exchange = (b >> np.uint64(30)) & np.uint64(1) == 1
    pairs = np.stack([np.where(exchange, s, c), np.where(exchange, c, s)], axis=1)
    return pairs.astype(np.float32).reshape(-1)[:count].reshape(extents)
