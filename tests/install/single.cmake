# SPDX-License-Identifier: BSD-3-Clause
#
# The ten lines of single/main.cpp, with nothing but xsimd and the header that tools/amalgamate.py
# makes.
cmake_minimum_required(VERSION 3.25)
set(folder ${BINARY}/single)
execute_process(COMMAND ${PYTHON} ${ROOT}/tools/amalgamate.py ${folder}/felt_single.hpp
    COMMAND_ERROR_IS_FATAL ANY)
list(TRANSFORM XSIMD PREPEND -I)
execute_process(COMMAND ${COMPILER} -std=c++20 -O0 -Wall -Wextra -Werror -I${folder} ${XSIMD}
    ${ROOT}/tests/install/single/main.cpp -o ${folder}/ten_lines COMMAND_ERROR_IS_FATAL ANY)
execute_process(COMMAND ${folder}/ten_lines COMMAND_ERROR_IS_FATAL ANY)
