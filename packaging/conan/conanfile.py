# SPDX-License-Identifier: BSD-3-Clause
"""Conan 2: felt, headers only. In this folder: conan create . ; what it was checked with stands in
docs/19_installing.md. xsimd comes from ConanCenter, or, with -o "felt/*:system_xsimd=True", from
where CMake finds it."""
import os
import re

from conan import ConanFile
from conan.tools.build import check_min_cppstd
from conan.tools.cmake import CMake, CMakeDeps, CMakeToolchain
from conan.tools.files import copy, load


class Felt(ConanFile):
    name = "felt"
    description = "Fused expressions over layout-tagged tensors"
    license = "BSD-3-Clause"
    topics = ("tensor", "simd", "expression-templates", "header-only")
    package_type = "header-library"
    settings = "os", "arch", "compiler", "build_type"
    options = {"system_xsimd": [True, False]}
    default_options = {"system_xsimd": False}

    root = property(lambda self: os.path.join(self.recipe_folder, "..", ".."))

    def set_version(self):
        project = load(self, os.path.join(self.root, "CMakeLists.txt"))
        self.version = re.search(r"project\(felt VERSION ([0-9.]+)", project)[1]

    def export_sources(self):
        for what in ("include/*", "src/*", "cmake/*", "CMakeLists.txt", "LICENSE"):
            copy(self, what, self.root, self.export_sources_folder)

    def requirements(self):
        if not self.options.system_xsimd:
            self.requires("xsimd/[>=8.1 <15]", transitive_headers=True)

    def validate(self):
        check_min_cppstd(self, 20)

    def generate(self):
        toolchain = CMakeToolchain(self)
        for part in ("TESTS", "EXAMPLES"):
            toolchain.cache_variables[f"FELT_{part}"] = False
        toolchain.generate()
        CMakeDeps(self).generate()

    def build(self):
        CMake(self).configure()

    def package(self):
        CMake(self).install()
        copy(self, "LICENSE", self.source_folder, os.path.join(self.package_folder, "licenses"))

    def package_id(self):
        self.info.clear()

    def package_info(self):
        # The package of Felt's own, which has felt::compiled and finds what optional headers need.
        self.cpp_info.set_property("cmake_find_mode", "none")
        self.cpp_info.builddirs = [os.path.join("lib", "cmake", "felt")]
