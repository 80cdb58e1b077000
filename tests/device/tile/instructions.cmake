# SPDX-License-Identifier: BSD-3-Clause
#
# How many instructions a step of the tile program has on sm_90, in the loop that multiplies: no
# more than were counted when it was last looked at. What they would be without anything but to
# read fragments, round them and multiply is beside them.
#
#   cmake -DDUMP=cuobjdump -DCUBIN=.. -P instructions.cmake

set(bounds         # to read, round and multiply
    tf32_packets 169 # 128
    tf32_steps   192 # 128
    bf16_packets 129 # 88
    bf16_steps   152 # 88
    simt_packets 573 # 544
    simt_steps   587 # 544
)
set(names)
set(i 0)
list(LENGTH bounds last)
while(i LESS last)
    list(GET bounds ${i} name)
    math(EXPR i "${i} + 1")
    list(GET bounds ${i} most_${name})
    math(EXPR i "${i} + 1")
    list(APPEND names ${name})
endwhile()

get_filename_component(tools ${DUMP} DIRECTORY)
set(ENV{PATH} "${tools}:$ENV{PATH}")  # where cuobjdump finds nvdisasm
list(JOIN names " " known)
execute_process(COMMAND ${DUMP} -sass ${CUBIN}
    COMMAND awk -v "names=${known}" -f ${CMAKE_CURRENT_LIST_DIR}/instructions.awk
    OUTPUT_VARIABLE counted COMMAND_ERROR_IS_FATAL ANY)
message("${counted}")
set(failed FALSE)
foreach(name IN LISTS names)
    if(NOT counted MATCHES "(^|\n)${name} ([0-9]+) ")
        message(SEND_ERROR "${name}: no loop that multiplies was found")
    elseif(CMAKE_MATCH_2 GREATER most_${name})
        message(SEND_ERROR "${name}: ${CMAKE_MATCH_2} instructions, of ${most_${name}}")
    endif()
endforeach()
