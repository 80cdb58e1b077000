// SPDX-License-Identifier: BSD-3-Clause
//
// In place of zlib's: with it, what is behind the checksum of an archive's entry would hardly ever
// be reached. tests/npz.cpp has the checksums.
#include <zlib.h>

uLong crc32(uLong, Bytef const*, uInt) { return 0; }
