// SPDX-License-Identifier: BSD-3-Clause
//
// What the device's compiler wrote (nodes.ptx, functors.ptx, kernels.ptx) against this compiler:
// what goes into a kernel has one size and alignment, and no node and no functor was forgotten.
#include <tests/device/kernels.hpp>
#include <tests/device/nodes.hpp>
#include <doctest/doctest.h>
#include <filesystem>
#include <fstream>
#include <map>
#include <regex>
#include <set>
#include <sstream>
#include <vector>

namespace {

namespace fs = std::filesystem;

std::string text_of(fs::path const& file) {
    std::ifstream in(file);
    REQUIRE_MESSAGE(in, file.string());
    std::stringstream all;
    all << in.rdbuf();
    return all.str();
}

struct layout {
    std::size_t size = 0, alignment = 0;

    bool operator==(layout const&) const = default;
};
using layouts = std::map<std::size_t, layout>;  // by place in test::node_list or functor_list

// The first parameter of every test::take<I, N>, or of another function of that form:
//     .param .align 8 .b8 _ZN4test4takeILm12E..._param_0[136],
layouts layouts_in(std::string const& ptx, std::string const& function = "4take") {
    std::regex const parameter(R"(\.param \.align (\d+) \.b8 _ZN4test)" + function +
                               R"(ILm(\d+)E)");
    layouts found;
    std::istringstream lines(ptx);
    for (std::string line; std::getline(lines, line);) {
        std::smatch part;
        auto const bytes = line.find("_param_0[");
        if (bytes == std::string::npos || !std::regex_search(line, part, parameter)) continue;
        found[std::stoul(part[2])] = {std::stoul(line.substr(bytes + 9)), std::stoul(part[1])};
    }
    return found;
}

template <std::size_t... I>
layouts layouts_here(std::index_sequence<I...>) {
    static_assert((std::is_trivially_copyable_v<test::node_at<I>> && ...));
    static_assert((std::is_standard_layout_v<test::node_at<I>> && ...));
    return {{I, {sizeof(test::node_at<I>), alignof(test::node_at<I>)}}...};
}
layouts layouts_here() { return layouts_here(std::make_index_sequence<test::node_count>{}); }

// The structs of felt/expr whose head matches, by name.
std::vector<std::string> structs_of_expr(std::regex const& head) {
    std::vector<std::string> names;
    for (auto const& entry : fs::recursive_directory_iterator(FELT_INCLUDE "/felt/expr")) {
        if (!entry.is_regular_file()) continue;
        std::string const code = text_of(entry.path());
        for (std::sregex_iterator at(code.begin(), code.end(), head), end; at != end; ++at) {
            names.push_back((*at)[1]);
        }
    }
    return names;
}

// A name as it stands in a symbol: 3exp.
std::string mangled(std::string const& name) { return std::to_string(name.size()) + name; }

// felt's namespace as it stands in the symbols of a kernel, with the inline one in it, whose name
// says the instructions of the compiler that wrote it (core/version.hpp): 4felt9v0_9_sse2.
std::string felt_in(std::string const& ptx) {
    std::regex const name("4felt([0-9]+)v[0-9]");
    std::smatch found;
    REQUIRE(std::regex_search(ptx, found, name));
    auto const digits = found.str(1);
    return "4felt" + digits +
           ptx.substr(static_cast<std::size_t>(found.position(1)) + digits.size(),
                      std::stoul(digits));
}

}  // namespace

TEST_CASE("a parameter of a kernel is found by its number, size and alignment") {
    auto const found = layouts_in(
        ".visible .entry _ZN4test4takeILm7EiEEvT0_Pl(\n"
        "\t.param .align 4 .b8 _ZN4test4takeILm7EiEEvT0_Pl_param_0[12],\n"
        "\t.param .u64 _ZN4test4takeILm7EiEEvT0_Pl_param_1\n");
    CHECK(found == layouts{{7, {12, 4}}});
    CHECK(layouts_in("") == layouts{});
}

TEST_CASE("sizes are what the members add up to") {
    auto const here = layouts_here();
    CHECK(here.at(0) == layout{32, 8});  // a vector: pointer, extent, stride, owner
    CHECK(here.at(1) == layout{48, 8});  // a matrix
    CHECK(here.at(4) == layout{1, 1});   // a bool
}

TEST_CASE("a node has the same size in a kernel as here") {
    auto const kernel = layouts_in(text_of(FELT_NODES_PTX)), here = layouts_here();
    REQUIRE(kernel.size() == test::node_count);
    for (auto const& [number, there] : kernel) {
        INFO("node number ", number);
        CHECK(there.size == here.at(number).size);
        CHECK(there.alignment == here.at(number).alignment);
    }
}

template <std::size_t... I>
layouts functor_layouts_here(std::index_sequence<I...>) {
    static_assert((std::is_trivially_copyable_v<test::functor_at<I>> && ...));
    return {{I, {sizeof(test::functor_at<I>), alignof(test::functor_at<I>)}}...};
}

TEST_CASE("what kernels of statements are given has the same size there as here") {
    auto const kernel = layouts_in(text_of(FELT_KERNELS_PTX), "12take_functor");
    auto const here = functor_layouts_here(std::make_index_sequence<test::functor_count>{});
    REQUIRE(kernel.size() == test::functor_count);
    for (auto const& [number, there] : kernel) {
        INFO("functor number ", number);
        CHECK(there.size == here.at(number).size);
        CHECK(there.alignment == here.at(number).alignment);
    }
}

// The text of every kernel whose name has `part`.
std::string kernels_named(std::string const& ptx, std::string const& part) {
    std::string found;
    for (auto at = ptx.find(".entry "); at != std::string::npos;) {
        auto const next = ptx.find(".entry ", at + 1);
        std::string const kernel = ptx.substr(at, next - at);
        if (kernel.substr(0, kernel.find('(')).find(part) != std::string::npos) found += kernel;
        at = next;
    }
    return found;
}

TEST_CASE("contiguous memory is copied in bulk, other memory is not") {
    std::string const ptx = text_of(FELT_KERNELS_PTX);
    CHECK(kernels_named(ptx, "16transform_kernel").find("cp.async.bulk") != std::string::npos);
    std::string const others = kernels_named(ptx, "15elements_writer");
    CHECK(others.size() > 1000);
    CHECK(others.find("cp.async.bulk") == std::string::npos);
}

TEST_CASE("rows and full reductions are kernels of CUB") {
    std::string const ptx = text_of(FELT_KERNELS_PTX);
    CHECK(kernels_named(ptx, "DeviceSegmentedReduceKernel").find("counted_terms") !=
          std::string::npos);
    CHECK(kernels_named(ptx, "DeviceReduceKernel").find("counted_terms") != std::string::npos);
}

TEST_CASE("one byte of difference is seen") {
    std::string ptx = text_of(FELT_NODES_PTX);
    auto const size = ptx.find("_param_0[48]");
    REQUIRE(size != std::string::npos);
    ptx[size + 10] = '1';
    CHECK(layouts_in(ptx) != layouts_here());
}

TEST_CASE("every kind of node was a kernel's argument") {
    std::string const ptx = text_of(FELT_NODES_PTX), felt = felt_in(ptx);
    auto const names =
        structs_of_expr(std::regex(R"(struct (?:FELT_LAZY )?(\w+_node|leaf|scalar|statement)\s)"));
    CHECK(names.size() >= 12);
    // A list of types, a mark for the host, a shared copy of which lower() takes a view, notation.
    std::set<std::string> const never = {"typed_node",    "shared_node",   "packed_node",
                                         "inserted_node", "composed_node", "along_node",
                                         "part_node"};
    for (std::string const& name : names) {
        if (never.count(name) != 0) continue;
        INFO(name);
        CHECK(ptx.find(felt + mangled(name) + "I") != std::string::npos);
    }
}

TEST_CASE("every row and every monoid ran on a device") {
    std::string const ptx = text_of(FELT_FUNCTORS_PTX);
    auto const rows = structs_of_expr(
        std::regex(R"(struct (\w+)\s*(?:: \w+ )?\{\s*static constexpr char const\* name)"));
    CHECK(rows.size() >= 90);
    // Of complex numbers, which lie on the host; a mark for the host's products.
    std::set<std::string> const never = {
        "complex", "real", "imag", "conj", "angle", "squared_abs", "softmax_of_terms"};
    for (std::string const& name : rows) {
        if (never.count(name) != 0) continue;
        INFO(name);
        bool const row = ptx.find("2op" + mangled(name)) != std::string::npos;
        bool const monoid = ptx.find("6monoid" + mangled(name)) != std::string::npos;
        bool const own = ptx.find("6detail" + mangled(name)) != std::string::npos;
        CHECK((row || monoid || own));
    }
}
