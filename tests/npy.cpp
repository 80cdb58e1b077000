// SPDX-License-Identifier: BSD-3-Clause
//
// .npy files: byte for byte what NumPy writes, in both orders; damage is named.
#include <felt/npy.hpp>
#include <doctest/doctest.h>
#include <felt/felt.hpp>
#include <cstring>

namespace {

namespace fs = std::filesystem;

struct scratch_folder {
    fs::path path = fs::temp_directory_path() /
                    ("felt_npy_" + std::to_string(reinterpret_cast<std::uintptr_t>(this)));
    scratch_folder() { fs::create_directories(path); }
    ~scratch_folder() { fs::remove_all(path); }
    std::string operator/(char const* name) const { return (path / name).string(); }
};

std::string read_bytes(std::string const& file) {
    std::ifstream in(file, std::ios::binary);
    return {std::istreambuf_iterator<char>(in), {}};
}
void write_bytes(std::string const& file, std::string const& bytes) {
    std::ofstream(file, std::ios::binary) << bytes;
}

// What numpy.save writes: the head, spaces up to byte 127, a newline, the elements.
template <class T>
std::string npy_of(std::string const& dictionary, std::vector<T> const& elements) {
    std::string text("\x93NUMPY\x01\x00\x76\x00", 10);
    text += dictionary;
    text.append(127 - text.size(), ' ');
    text += '\n';
    text.append(reinterpret_cast<char const*>(elements.data()), elements.size() * sizeof(T));
    return text;
}

template <class T, std::size_t R>
std::string message_of(std::string const& file) {
    try {
        (void)felt::load_npy<T, R>(file);
    } catch (felt::io_error const& e) {
        return e.what();
    }
    return "";
}

bool says(std::string const& message, std::string const& file, char const* words) {
    INFO(message);
    return message.starts_with(file) && message.find(words) != message.npos;
}

}  // namespace

TEST_CASE("a saved tensor is NumPy's file, byte for byte") {
    scratch_folder const dir;
    auto const x = felt::Tensor<float, 2>::of({{1, 2, 3}, {4, 5, 6}});
    felt::save_npy(dir / "x.npy", x);
    CHECK(read_bytes(dir / "x.npy") ==
          npy_of<float>("{'descr': '<f4', 'fortran_order': False, 'shape': (2, 3), }",
                        {1, 2, 3, 4, 5, 6}));
    felt::Tensor<double, 2, felt::Host, felt::ColMajor> const f = felt::cast<double>(x);
    felt::save_npy(dir / "f.npy", f);
    CHECK(read_bytes(dir / "f.npy") ==
          npy_of<double>("{'descr': '<f8', 'fortran_order': True, 'shape': (2, 3), }",
                         {1, 4, 2, 5, 3, 6}));
    CHECK(!fs::exists(dir / "x.npy.part"));
}

TEST_CASE("both orders are read into both layouts") {
    scratch_folder const dir;
    write_bytes(dir / "c.npy", npy_of<float>("{'descr': '<f4', 'fortran_order': False, "
                                             "'shape': (2, 3), }",
                                             {1, 2, 3, 4, 5, 6}));
    write_bytes(dir / "f.npy", npy_of<float>("{'descr': '<f4', 'fortran_order': True, "
                                             "'shape': (2, 3), }",
                                             {1, 4, 2, 5, 3, 6}));
    for (char const* name : {"c.npy", "f.npy"}) {
        CAPTURE(name);
        auto const r = felt::load_npy<float, 2>(dir / name);
        auto const c = felt::load_npy<float, 2, felt::ColMajor>(dir / name);
        for (int i = 0; i < 2; ++i) {
            for (int j = 0; j < 3; ++j) {
                CHECK(r(i, j) == static_cast<float>(3 * i + j + 1));
                CHECK(c(i, j) == r(i, j));
            }
        }
    }
}

TEST_CASE("every kind of array and element is saved and loaded again") {
    scratch_folder const dir;
    auto const x = felt::Tensor<int, 3>::of({{{1, 2}, {3, 4}, {5, 6}}});
    felt::save_npy(dir / "int.npy", x);
    CHECK(felt::all_close(felt::load_npy<int, 3>(dir / "int.npy"), x));
    CHECK(read_bytes(dir / "int.npy").find("'<i4'") != std::string::npos);

    felt::save_npy(dir / "bool.npy", x == 4);
    CHECK(felt::load_npy<bool, 3>(dir / "bool.npy")(0, 1, 1));
    CHECK(!felt::load_npy<bool, 3>(dir / "bool.npy")(0, 1, 0));

    felt::save_npy(dir / "slice.npy", felt::slice(x, 0, felt::all(), 1));
    CHECK(felt::load_npy<int, 1>(dir / "slice.npy")(2) == 6);

    xt::xtensor<std::uint8_t, 1> const bytes = {7, 255};
    using C = std::complex<double>;
    auto const z = felt::Tensor<C, 1>::of({C(1, 2), C(3, 4)});
    felt::save_npy(dir / "c16.npy", z);
    CHECK(read_bytes(dir / "c16.npy").find("'<c16'") != std::string::npos);
    CHECK(felt::load_npy<C, 1>(dir / "c16.npy")(1) == C(3, 4));
    felt::save_npy(dir / "u1.npy", bytes);
    CHECK(felt::load_npy<std::uint8_t, 1>(dir / "u1.npy")(1) == 255);

    felt::Tensor<felt::index_t, 0> one;
    one() = felt::index_t{1} << 40;
    felt::save_npy(dir / "one.npy", one);
    CHECK(felt::load_npy<felt::index_t, 0>(dir / "one.npy")() == felt::index_t{1} << 40);

    felt::save_npy(dir / "none.npy", felt::Tensor<float, 2>({0, 5}));
    CHECK(felt::load_npy<float, 2>(dir / "none.npy").extents() == felt::extents<2>{{0, 5}});
}

TEST_CASE("a file that is missing, damaged or of another kind is named") {
    scratch_folder const dir;
    std::string const file = dir / "x.npy";
    CHECK(says(message_of<float, 2>(file), file, "cannot be read"));

    std::string const good = npy_of<float>(
        "{'descr': '<f4', 'fortran_order': False, 'shape': (2, 3), }", {1, 2, 3, 4, 5, 6});
    write_bytes(file, good);
    CHECK(message_of<float, 2>(file) == "");
    CHECK(says(message_of<double, 2>(file), file, "elements are <f4, not <f8"));
    CHECK(says(message_of<float, 1>(file), file, "the array is (2, 3), not of rank 1"));

    write_bytes(file, good.substr(0, good.size() - 1));
    CHECK(says(message_of<float, 2>(file), file, "makes 152 bytes, there are 151"));
    write_bytes(file, good + '\0');
    CHECK(says(message_of<float, 2>(file), file, "makes 152 bytes, there are 153"));
    for (std::size_t n : std::initializer_list<std::size_t>{0, 5, 9, 10, 100}) {
        write_bytes(file, good.substr(0, n));
        CHECK(says(message_of<float, 2>(file), file, "ends inside the .npy header"));
    }
    write_bytes(file, "PK" + good);
    CHECK(says(message_of<float, 2>(file), file, "not an .npy array"));
    write_bytes(file, npy_of<float>("{'descr': '<f4', 'fortran_order': False, "
                                    "'shape': (4611686018427387904, 16), }",
                                    {1}));
    CHECK(says(message_of<float, 2>(file), file, "bad shape"));
    write_bytes(file,
                npy_of<float>("{'shape': (1,), 'descr': '<f4', 'fortran_order': False}", {1}));
    CHECK(message_of<float, 1>(file) == "");  // keys in any order
    write_bytes(file, npy_of<float>("{'descr': '<f4', 'fortran_order': 1, 'shape': (1,)}", {1}));
    CHECK(says(message_of<float, 1>(file), file, "'fortran_order' is neither True nor False"));
    write_bytes(file, npy_of<float>("{'descr': '<f4', 'fortran_order': True, "
                                    "'shape': (0, 4611686018427387904, 16)}",
                                    {}));
    CHECK(says(message_of<float, 3>(file), file, "bad shape"));
}

TEST_CASE("a header that only one of two parsers would take is read by one") {
    scratch_folder const dir;
    std::string const file = dir / "x.npy";  // xtensor's took the first of two shapes
    write_bytes(file, npy_of<float>("{'descr': '<f4', 'fortran_order': False, "
                                    "'shape' : (1000000000000,), 'shape': (2,), }",
                                    {5, 6}));
    CHECK(felt::load_npy<float, 1>(file)(1) == 6);
}

TEST_CASE("a byte that is no bool is named") {
    scratch_folder const dir;
    std::string const file = dir / "b.npy";
    write_bytes(
        file, npy_of<char>("{'descr': '|b1', 'fortran_order': False, 'shape': (3,), }", {0, 1, 2}));
    CHECK(says(message_of<bool, 1>(file), file, "byte 130 is neither True nor False"));
}

TEST_CASE("a file that shrinks between its head and its elements is named with the byte") {
    scratch_folder const dir;
    std::string const file = dir / "x.npy";
    felt::save_npy(file, felt::Tensor<float, 1>({100000}));
    std::ifstream in;
    auto const h = felt::detail::open_npy<float, 1>(in, file);
    fs::resize_file(file, 200000);
    CHECK_THROWS_WITH_AS((felt::detail::read_npy<float, 1, felt::RowMajor>(in, h, file)),
                         doctest::Contains("ends early, at byte 200000"), felt::io_error);
}

TEST_CASE("a file that cannot be written is named, and leaves no part behind") {
    scratch_folder const dir;
    felt::Tensor<float, 1> const x({3});
    std::string const nowhere = dir / "no/such/folder/x.npy";
    CHECK_THROWS_WITH_AS(felt::save_npy(nowhere, x), doctest::Contains("x.npy: cannot be written"),
                         felt::io_error);
    fs::create_directories(dir / "folder.npy/inside");
    CHECK_THROWS_AS(felt::save_npy(dir / "folder.npy", x), felt::io_error);
    CHECK(!fs::exists(dir / "folder.npy.part"));
    felt::save_npy(dir / "x.npy", x);
    felt::Tensor<float, 1> const longer({4});
    felt::save_npy(dir / "x.npy", longer);
    CHECK(felt::load_npy<float, 1>(dir / "x.npy").size() == 4);
}
