# SPDX-License-Identifier: BSD-3-Clause
#
# Runs COMMAND, which must fail and say WORDS.
execute_process(COMMAND ${COMMAND} RESULT_VARIABLE code OUTPUT_VARIABLE said ERROR_VARIABLE said)
if(code EQUAL 0)
    message(FATAL_ERROR "succeeded, but must fail:\n${said}")
endif()
string(REGEX REPLACE "[ \n]+" " " said "${said}") # cmake breaks the lines of its messages
string(FIND "${said}" "${WORDS}" found)
if(found EQUAL -1)
    message(FATAL_ERROR "failed without saying '${WORDS}':\n${said}")
endif()
