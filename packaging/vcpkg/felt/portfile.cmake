# SPDX-License-Identifier: BSD-3-Clause
#
# An overlay port of this checkout: vcpkg install felt --overlay-ports=packaging/vcpkg
set(VCPKG_BUILD_TYPE release) # headers only
get_filename_component(SOURCE_PATH "${CMAKE_CURRENT_LIST_DIR}/../../.." ABSOLUTE)
vcpkg_cmake_configure(SOURCE_PATH "${SOURCE_PATH}"
    OPTIONS -DFELT_TESTS=OFF -DFELT_EXAMPLES=OFF -DFELT_INSTALL_CMAKEDIR=share/felt)
vcpkg_cmake_install()
vcpkg_fixup_pkgconfig()
file(REMOVE_RECURSE "${CURRENT_PACKAGES_DIR}/lib")
vcpkg_install_copyright(FILE_LIST "${SOURCE_PATH}/LICENSE")
file(INSTALL "${CMAKE_CURRENT_LIST_DIR}/usage" DESTINATION "${CURRENT_PACKAGES_DIR}/share/${PORT}")
