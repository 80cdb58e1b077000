// SPDX-License-Identifier: BSD-3-Clause
#include <felt/npz.hpp>
#include <felt/tensor/tensor.hpp>
#include <doctest/doctest.h>
#include <filesystem>
#include <fstream>

namespace {

namespace fs = std::filesystem;

// A folder of this test's own, removed at its end.
struct scratch_folder {
    fs::path path = fs::temp_directory_path() / ("felt_npz_" + std::to_string(counter()));
    scratch_folder() { fs::create_directories(path); }
    ~scratch_folder() { fs::remove_all(path); }
    std::string operator/(char const* name) const { return (path / name).string(); }
    static std::uint64_t counter() {
        static std::uint64_t n = 0;
        return reinterpret_cast<std::uintptr_t>(&n) + n++;
    }
};

std::string read_bytes(std::string const& file) {
    std::ifstream in(file, std::ios::binary);
    return {std::istreambuf_iterator<char>(in), {}};
}

void write_bytes(std::string const& file, std::string const& bytes) {
    std::ofstream(file, std::ios::binary) << bytes;
}

felt::npz sample() {
    felt::npz a;
    a.put("w", {2, 3}, std::vector<float>{1, 2, 3, 4, 5, 6});
    a.put("b", {4}, std::vector<double>{0.5, -1, 2e300, 4});
    a.put("rate", 0.25);
    a.put("step", std::int64_t{1} << 60);
    a.put("nothing", {0, 5}, std::vector<float>{});
    return a;
}

// An archive of one entry with these bytes.
void write_entry(std::string const& file, std::string const& name, std::string const& bytes) {
    auto z = felt::detail::open_zip(file, ZIP_CREATE | ZIP_TRUNCATE);
    felt::detail::add_entry(z.get(), name, bytes, false);
    REQUIRE(zip_close(z.get()) == 0);
    z.release();
}

std::string message_of(std::string const& file) {
    try {
        (void)felt::load_npz(file);
    } catch (felt::io_error const& e) {
        return e.what();
    }
    return "";
}

}  // namespace

TEST_CASE("the head of an npy array is NumPy's, byte for byte") {
    std::string const head = felt::detail::npy_head({"<f4", false, {2, 3}});
    CHECK(head.size() == 128);
    CHECK(head.substr(0, 10) == std::string("\x93NUMPY\x01\x00\x76\x00", 10));
    CHECK(head.substr(10, 60) == "{'descr': '<f4', 'fortran_order': False, 'shape': (2, 3), } ");
    CHECK(head.back() == '\n');
    auto shape = [](std::vector<felt::index_t> e) {
        std::string const h = felt::detail::npy_head({"<i8", false, std::move(e)});
        CHECK(h.size() % 64 == 0);
        return h.substr(h.find('('), h.find(')') + 1 - h.find('('));
    };
    CHECK(shape({}) == "()");
    CHECK(shape({7}) == "(7,)");
    CHECK(shape({1, 2, 3}) == "(1, 2, 3)");
    CHECK(felt::detail::npy_shape("(4, 5), }", "x") == std::vector<felt::index_t>{4, 5});
    CHECK(felt::detail::npy_shape("(7,), }", "x") == std::vector<felt::index_t>{7});
    CHECK(felt::detail::npy_shape("(), }", "x").empty());
}

TEST_CASE("what is saved is loaded, stored or deflated") {
    scratch_folder const folder;
    for (auto how : {felt::npz_compression::stored, felt::npz_compression::deflated}) {
        std::string const file = folder / "a.npz";
        felt::save_npz(file, sample(), how);
        felt::npz const b = felt::load_npz(file);
        CHECK(b.arrays.size() == 5);
        CHECK(b.values<float>("w") == std::vector<float>{1, 2, 3, 4, 5, 6});
        CHECK(b.array("w").extents == std::vector<felt::index_t>{2, 3});
        CHECK(b.values<double>("b") == std::vector<double>{0.5, -1, 2e300, 4});
        CHECK(b.scalar<double>("rate") == 0.25);
        CHECK(b.array("rate").extents.empty());
        CHECK(b.scalar<std::int64_t>("step") == std::int64_t{1} << 60);
        CHECK(b.array("nothing").extents == std::vector<felt::index_t>{0, 5});
        CHECK(b.values<float>("nothing").empty());
    }
}

TEST_CASE("the same arrays make the same bytes, and deflating makes fewer") {
    scratch_folder const folder;
    felt::npz a;
    a.put("x", {4096}, std::vector<double>(4096, 1.5));
    felt::save_npz(folder / "a.npz", a);
    felt::save_npz(folder / "b.npz", a);
    felt::save_npz(folder / "c.npz", a, felt::npz_compression::deflated);
    CHECK(read_bytes(folder / "a.npz") == read_bytes(folder / "b.npz"));
    CHECK(fs::file_size(folder / "a.npz") > 4096 * 8);
    CHECK(fs::file_size(folder / "c.npz") < 1000);
}

TEST_CASE("a tensor of any layout comes back as the same elements") {
    scratch_folder const folder;
    using felt::Tensor;
    Tensor<float, 2, felt::Host, felt::ColMajor> f({2, 3});
    for (int i = 0; i < 2; ++i) {
        for (int j = 0; j < 3; ++j) f(i, j) = static_cast<float>(10 * i + j);
    }
    Tensor<double, 0> loss;
    loss() = 3.5;
    felt::npz a;
    a.put("f", f);
    a.put("loss", loss);
    CHECK(a.values<float>("f") == std::vector<float>{0, 1, 2, 10, 11, 12});
    felt::save_npz(folder / "a.npz", a);
    felt::npz const b = felt::load_npz(folder / "a.npz");
    Tensor<float, 2> row({2, 3});
    Tensor<float, 2, felt::Host, felt::ColMajor> column({2, 3});
    b.get("f", row);
    b.get("f", column);
    CHECK(row(1, 0) == 10);
    CHECK(row(0, 2) == 2);
    CHECK(column(1, 2) == 12);
    std::vector<float> every_other(12, -1.0f);
    b.get("f", felt::view(every_other.data(), {2, 3}, {6, 2}));
    CHECK(every_other == std::vector<float>{0, -1, 1, -1, 2, -1, 10, -1, 11, -1, 12, -1});
    Tensor<double, 0> again;
    b.get("loss", again);
    CHECK(again() == 3.5);
}

TEST_CASE("an array in Fortran order is turned into rows") {
    scratch_folder const folder;
    std::vector<double> const columns = {0, 10, 1, 11, 2, 12};  // (2, 3), column by column
    std::string bytes = felt::detail::npy_head({"<f8", true, {2, 3}});
    bytes.append(reinterpret_cast<char const*>(columns.data()), sizeof(double) * columns.size());
    write_entry(folder / "f.npz", "x", bytes);
    CHECK(felt::load_npz(folder / "f.npz").values<double>("x") ==
          std::vector<double>{0, 1, 2, 10, 11, 12});
}

TEST_CASE("asking for what is not there names the file, the array and what there is") {
    scratch_folder const folder;
    std::string const file = folder / "a.npz";
    felt::save_npz(file, sample());
    felt::npz const b = felt::load_npz(file);
    CHECK_THROWS_WITH_AS(b.array("v"),
                         (file + ": no array 'v'; there are: b, nothing, rate, step, w").c_str(),
                         felt::io_error);
    CHECK_THROWS_WITH_AS(b.values<double>("w"), (file + ": array 'w' holds <f4, not <f8").c_str(),
                         felt::io_error);
    CHECK_THROWS_WITH_AS(b.scalar<float>("w"),
                         (file + ": array 'w' is (2, 3), not one value").c_str(), felt::io_error);
    felt::Tensor<float, 2> wrong({3, 2});
    CHECK_THROWS_WITH_AS(b.get("w", wrong), (file + ": array 'w' is (2, 3), not (3, 2)").c_str(),
                         felt::io_error);
    felt::npz a;
    CHECK_THROWS_AS(a.put("x", {2, 2}, std::vector<float>(3)), felt::shape_error);
    CHECK_FALSE(a.contains("x"));
}

TEST_CASE("a file that cannot be read or written is named, and nothing is left behind") {
    scratch_folder const folder;
    CHECK(message_of(folder / "none.npz").find("none.npz: No such file") != std::string::npos);
    write_bytes(folder / "text.npz", "this is no archive");
    CHECK(message_of(folder / "text.npz").find("text.npz: ") != std::string::npos);
    CHECK_THROWS_AS(felt::save_npz(folder / "missing/a.npz", sample()), felt::io_error);
    CHECK_THROWS_AS(felt::save_npz(folder / "empty.npz", {}), felt::io_error);
    felt::save_npz(folder / "a.npz", sample());
    CHECK(std::distance(fs::directory_iterator(folder.path), fs::directory_iterator()) == 2);
}

TEST_CASE("a damaged entry is named with what is wrong with it") {
    scratch_folder const folder;
    std::string const file = folder / "d.npz";
    std::string const good = felt::detail::npy_bytes(sample().array("w"));
    auto const message = [&](std::string const& bytes) {
        write_entry(file, "w", bytes);
        return message_of(file);
    };
    auto const replaced = [&](std::string const& what, std::string const& by) {
        std::string bytes = good;
        return bytes.replace(bytes.find(what), what.size(), by);
    };
    CHECK(message(good) == "");
    CHECK(message("no array") == file + ", entry w.npy: impossible size 8");
    CHECK(message("no array at all") ==
          file + ", entry w.npy: not an .npy array (no \\x93NUMPY at byte 0)");
    CHECK(message(good.substr(0, 60)) == file + ", entry w.npy: ends inside its header");
    CHECK(message(good.substr(0, good.size() - 1)) ==
          file + ", entry w.npy: (2, 3) of <f4 needs 24 bytes, there are 23");
    CHECK(message(good + "x").find("there are 25") != std::string::npos);
    CHECK(message(replaced("<f4", "<c8")).find("elements are <c8") != std::string::npos);
    CHECK(message(replaced("'<f4'", "[('a'")).find("a structure") != std::string::npos);
    CHECK(message(replaced("shape", "shave")).find("has no 'shape':") != std::string::npos);
    CHECK(message(replaced("(2, 3)", "(2,-3)")).find("bad shape") != std::string::npos);
    CHECK(message(replaced("(2, 3), }     ", "(4294967296, 4294967296)")).find("bad shape") !=
          std::string::npos);
    CHECK(message(replaced(std::string("\x01\x00", 2), std::string("\x04\x00", 2)))
              .find("version 4.0 at byte 6") != std::string::npos);
}

TEST_CASE("entries that share their bytes, or are packed in other ways, are refused") {
    scratch_folder const folder;
    std::string const file = folder / "d.npz";
    felt::save_npz(file, sample());
    std::string const good = read_bytes(file);
    auto const message = [&](std::size_t entry, std::size_t at, char value) {
        std::string bytes = good;  // the entry's record in the archive's list of its entries
        std::size_t record = bytes.find("PK\x01\x02");
        for (; entry > 0; --entry) record = bytes.find("PK\x01\x02", record + 1);
        bytes[record + at] = value;
        write_bytes(file, bytes);
        return message_of(file);
    };
    CHECK(message(0, 10, 12) ==
          file + ", entry b.npy: compressed by method 12; stored and deflated entries are read");
    CHECK(message(4, 22, 1).find("entry w.npy: impossible size") != std::string::npos);
    CHECK(message(4, 27, 1).find("entry w.npy: impossible size") != std::string::npos);
}

TEST_CASE("a changed or missing byte is an error or harmless, never a crash") {
    scratch_folder const folder;
    std::string const file = folder / "d.npz";
    std::size_t found = 0;
    for (auto how : {felt::npz_compression::stored, felt::npz_compression::deflated}) {
        felt::save_npz(file, sample(), how);
        std::string const good = read_bytes(file);
        for (std::size_t n = 0; n < good.size(); n += 7) {
            write_bytes(file, good.substr(0, n));
            CHECK(message_of(file).find("d.npz") != std::string::npos);
            std::string bytes = good;
            bytes[n] = static_cast<char>(bytes[n] ^ 0x55);
            write_bytes(file, bytes);
            found += message_of(file) != "";
        }
    }
    CHECK(found > 50);
}
