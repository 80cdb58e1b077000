# SPDX-License-Identifier: BSD-3-Clause
#
# cmake --install: the headers, a package for find_package(felt), felt.pc for pkg-config, and what
# GDB prints tensors by.
include(GNUInstallDirs)
include(CMakePackageConfigHelpers)

set(FELT_INSTALL_CMAKEDIR ${CMAKE_INSTALL_LIBDIR}/cmake/felt CACHE STRING
    "Where find_package(felt) finds it, below the prefix")
mark_as_advanced(FELT_INSTALL_CMAKEDIR)
set(package_dir ${FELT_INSTALL_CMAKEDIR})
write_basic_package_version_file(felt-config-version.cmake
    COMPATIBILITY SameMinorVersion ARCH_INDEPENDENT)
install(TARGETS felt felt_native EXPORT felt-targets FILE_SET HEADERS FILE_SET inner FILE_SET unchecked)
install(EXPORT felt-targets NAMESPACE felt:: DESTINATION ${package_dir})
install(DIRECTORY src/ DESTINATION ${package_dir}/src FILES_MATCHING PATTERN *.cpp)
install(FILES cmake/felt-config.cmake cmake/felt-compiled.cmake cmake/felt-dependencies.cmake
              cmake/felt-advice.cmake ${CMAKE_CURRENT_BINARY_DIR}/felt-config-version.cmake
        DESTINATION ${package_dir})

# pkg-config felt, for who builds without CMake. The headers alone: felt::compiled is of CMake.
set(pc_dir ${CMAKE_INSTALL_DATADIR}/pkgconfig)
cmake_path(RELATIVE_PATH CMAKE_INSTALL_PREFIX
    BASE_DIRECTORY ${CMAKE_INSTALL_PREFIX}/${pc_dir} OUTPUT_VARIABLE pc_to_prefix)
configure_file(cmake/felt.pc.in felt.pc @ONLY)
install(FILES ${CMAKE_CURRENT_BINARY_DIR}/felt.pc DESTINATION ${pc_dir})

install(FILES tools/gdb/felt_gdb.py DESTINATION ${CMAKE_INSTALL_DATADIR}/felt/gdb)
