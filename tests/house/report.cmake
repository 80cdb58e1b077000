# SPDX-License-Identifier: BSD-3-Clause
#
# fault(<text>) notes a broken rule; verdict() ends the check, and fails it if there was one.
set(faults 0)
function(fault text)
    message(NOTICE "${text}")
    math(EXPR count "${faults} + 1")
    set(faults ${count} PARENT_SCOPE)
endfunction()

function(verdict)
    if(faults GREATER 0)
        message(FATAL_ERROR "broken rules: ${faults}")
    endif()
endfunction()
