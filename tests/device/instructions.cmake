# SPDX-License-Identifier: BSD-3-Clause
#
# How many instructions inner loops of kernels have on sm_90, for how many of those that do the
# work: no more than were counted when it was last looked at. Beside them, for a step of a product:
# to read its factors, to round and to multiply them.
#
#   cmake -DDUMP=cuobjdump -DCUBIN=.. -P instructions.cmake

# name; part of the kernel's name; instructions at most, for each that works
set(bounds
    "tf32_packets\;tf32_packets\;169 32"     # 128
    "tf32_steps\;tf32_steps\;193 32"         # 128
    "bf16_packets\;bf16_packets\;129 16"     # 88
    "bf16_steps\;bf16_steps\;153 16"         # 88
    "simt_packets\;simt_packets\;573 512"    # 544
    "simt_steps\;simt_steps\;587 512"        # 544
    "sums_of_columns\;part_folder.*5terms.*Lm1ELm2E\;245 32"
    "sums_of_channels\;part_folder.*5terms.*Lm1ELm4E\;371 32"
    "sums_of_parts\;part_folder.*12stored_items\;221 32"
    "chain_by_packets\;14packets_writer.*4relu\;142 8"
    "chain_by_elements\;15elements_writer.*4relu\;83 2"
)
get_filename_component(tools ${DUMP} DIRECTORY)
set(ENV{PATH} "${tools}:$ENV{PATH}")  # where cuobjdump finds nvdisasm
set(patterns)
foreach(bound IN LISTS bounds)
    list(GET bound 0 1 named)
    list(JOIN named "=" named)
    list(APPEND patterns ${named})
endforeach()
list(JOIN patterns " " patterns)
execute_process(COMMAND ${DUMP} -sass ${CUBIN}
    COMMAND awk -v "patterns=${patterns}" -f ${CMAKE_CURRENT_LIST_DIR}/instructions.awk
    OUTPUT_VARIABLE counted COMMAND_ERROR_IS_FATAL ANY)
message("${counted}")
foreach(bound IN LISTS bounds)
    list(GET bound 0 name)
    list(GET bound 2 most)
    string(REGEX MATCH "([0-9]+) ([0-9]+)" most ${most})
    set(work ${CMAKE_MATCH_2})
    set(most ${CMAKE_MATCH_1})
    if(NOT counted MATCHES "(^|\n)${name} ([0-9]+) ([0-9]+) ")
        message(SEND_ERROR "${name}: its loop was not found")
    else()
        math(EXPR scaled "${CMAKE_MATCH_2} * ${work}")
        math(EXPR allowed "${most} * ${CMAKE_MATCH_3}")
        if(scaled GREATER allowed)
            message(SEND_ERROR "${name}: ${CMAKE_MATCH_2} instructions for ${CMAKE_MATCH_3}, "
                               "of ${most} for ${work}")
        endif()
    endif()
endforeach()
