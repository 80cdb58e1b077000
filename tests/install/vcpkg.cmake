# SPDX-License-Identifier: BSD-3-Clause
#
# The steps of the vcpkg port, without vcpkg: its functions are replaced by what they come to. Then
# a project finds Felt in what was packed.
cmake_minimum_required(VERSION 3.25)
set(port ${ROOT}/packaging/vcpkg/felt)
set(build ${BINARY}/vcpkg_build)
set(PORT felt)
set(without -DFELT_OPENMP=OFF -DFELT_MPI=OFF) # to look for them takes long
set(CURRENT_PACKAGES_DIR ${BINARY}/vcpkg_packed)
file(REMOVE_RECURSE ${CURRENT_PACKAGES_DIR} ${build})
function(call)
    execute_process(COMMAND ${ARGN} OUTPUT_QUIET COMMAND_ERROR_IS_FATAL ANY)
endfunction()

function(vcpkg_cmake_configure)
    cmake_parse_arguments(PARSE_ARGV 0 arg "" SOURCE_PATH OPTIONS)
    call(${CMAKE_COMMAND} -S ${arg_SOURCE_PATH} -B ${build} -G ${GENERATOR} ${arg_OPTIONS}
        -DCMAKE_CXX_COMPILER=${COMPILER} -DCMAKE_BUILD_TYPE=Release ${without})
endfunction()
function(vcpkg_cmake_install)
    call(${CMAKE_COMMAND} --install ${build} --prefix ${CURRENT_PACKAGES_DIR})
endfunction()
function(vcpkg_fixup_pkgconfig)
    if(NOT EXISTS ${CURRENT_PACKAGES_DIR}/share/pkgconfig/felt.pc)
        message(FATAL_ERROR "there is no felt.pc for vcpkg to mend")
    endif()
endfunction()
function(vcpkg_install_copyright)
    cmake_parse_arguments(PARSE_ARGV 0 arg "" "" FILE_LIST)
    file(INSTALL ${arg_FILE_LIST} DESTINATION ${CURRENT_PACKAGES_DIR}/share/${PORT}
        RENAME copyright)
endfunction()

file(READ ${port}/vcpkg.json manifest)
string(JSON name GET "${manifest}" name)
string(JSON version GET "${manifest}" version-semver)
if(NOT name STREQUAL PORT OR NOT version STREQUAL FELT_VERSION)
    message(FATAL_ERROR "the manifest is of ${name} ${version}, this is felt ${FELT_VERSION}")
endif()
set(CMAKE_CURRENT_LIST_DIR ${port})
include(${port}/portfile.cmake)

foreach(file IN ITEMS include/felt/felt.hpp share/felt/felt-config.cmake share/felt/src/engine.cpp
        share/felt/copyright share/felt/usage)
    if(NOT EXISTS ${CURRENT_PACKAGES_DIR}/${file})
        message(FATAL_ERROR "the port leaves out ${file}")
    endif()
endforeach()
if(EXISTS ${CURRENT_PACKAGES_DIR}/lib)
    message(FATAL_ERROR "the port of headers has a lib/")
endif()
call(${CMAKE_COMMAND} --fresh -S ${ROOT}/tests/install/advice -B ${BINARY}/vcpkg_use
    -G ${GENERATOR} -DCMAKE_CXX_COMPILER=${COMPILER} -DWAY=package -DFELT_ADVICE=OFF ${without}
    -Dfelt_DIR=${CURRENT_PACKAGES_DIR}/share/felt)
