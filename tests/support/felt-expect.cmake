# SPDX-License-Identifier: BSD-3-Clause
#
# felt_expect_failure(<name> <words> <command>...): a test that passes if the command fails and
# says <words>. It is how the checks themselves are checked.
function(felt_expect_failure name words)
    add_test(NAME ${name}
        COMMAND ${CMAKE_COMMAND} "-DWORDS=${words}" "-DCOMMAND=${ARGN}"
                -P ${PROJECT_SOURCE_DIR}/tests/support/expect_failure.cmake)
endfunction()
