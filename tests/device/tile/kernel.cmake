# SPDX-License-Identifier: BSD-3-Clause
#
# What the emulator cannot see in kernels of the tile program: each block fences before and after it
# counts, parts of sums are read past the first cache, and copies are as wide as they say.
#
#   cmake -DPTX=kernel.ptx -P kernel.cmake
file(READ ${PTX} ptx)

function(count result pattern)
    string(REGEX MATCHALL "${pattern}" all "${ptx}")
    list(LENGTH all n)
    set(${result} ${n} PARENT_SCOPE)
endfunction()

# A string of CMake keeps no list of what has brackets.
string(REGEX REPLACE "[][]" "" ptx "${ptx}")
count(counts "atom\\.global\\.add\\.u32")
count(fences "membar\\.gl")
count(past_caches "ld\\.global\\.cg\\.f32")
count(packets "cp\\.async\\.cg\\.shared\\.global")
count(whole_packets "cp\\.async\\.cg\\.shared\\.global[^\n,]*,[^\n,]*, *16,")
message("${counts} counts, ${fences} fences, ${past_caches} parts read, ${packets} packets copied")
math(EXPR two_each "2 * ${counts}")
if(counts EQUAL 0 OR NOT fences EQUAL two_each)
    message(SEND_ERROR "a block that counts has to fence before and after")
endif()
if(past_caches LESS counts)
    message(SEND_ERROR "parts of sums are not read past the first cache")
endif()
if(packets EQUAL 0 OR NOT packets EQUAL whole_packets)
    message(SEND_ERROR "a packet of 16 bytes is copied in part")
endif()
