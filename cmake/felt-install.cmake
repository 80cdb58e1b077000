# SPDX-License-Identifier: BSD-3-Clause
#
# cmake --install: the headers, a package for find_package(felt), and what GDB prints tensors by.
include(GNUInstallDirs)
include(CMakePackageConfigHelpers)

set(package_dir ${CMAKE_INSTALL_LIBDIR}/cmake/felt)
write_basic_package_version_file(felt-config-version.cmake
    COMPATIBILITY SameMinorVersion ARCH_INDEPENDENT)
install(TARGETS felt felt_native EXPORT felt-targets FILE_SET HEADERS FILE_SET unchecked)
install(EXPORT felt-targets NAMESPACE felt:: DESTINATION ${package_dir})
install(DIRECTORY src/ DESTINATION ${package_dir}/src FILES_MATCHING PATTERN *.cpp)
install(FILES cmake/felt-config.cmake cmake/felt-compiled.cmake cmake/felt-dependencies.cmake
              ${CMAKE_CURRENT_BINARY_DIR}/felt-config-version.cmake
        DESTINATION ${package_dir})
install(FILES tools/gdb/felt_gdb.py DESTINATION ${CMAKE_INSTALL_DATADIR}/felt/gdb)
