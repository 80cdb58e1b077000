// SPDX-License-Identifier: BSD-3-Clause
//
// The file of --save and --resume: what the states of all examples have in common, and the errors
// where a file is not what the command line says.
//
//   to_npz:    put_name(file, "setting", "words"), put_list(file, "costs", t.costs),
//              put_parts(file, t.optimiser)
//   from_npz:  setting_in(file, settings), check_data(file, t.data, "training on another text"),
//   t.costs = list_in(file, "costs", n), get_parts(file, t.optimiser)
//
// A file says what it likes: sizes are compared with what there is before anything is made of them.
#pragma once
#include <felt/npz.hpp>
#include <support/job.hpp>
#include <climits>
#include <cmath>
#include <sstream>
#include <utility>
#include <string>
#include <vector>

namespace support {

// What rank 0 has read, on all ranks.
template <class T>
void broadcast(felt::communicator& ranks, std::vector<T>& v) {
    v.resize(felt::broadcast(ranks, v.size()));
    felt::broadcast(ranks, std::span(v));
}
inline void broadcast(felt::communicator& ranks, felt::npz& file) {
    std::vector<char> names;
    for (auto const& [name, array] : file.arrays) {
        names.insert(names.end(), name.c_str(), name.c_str() + name.size() + 1);
    }
    broadcast(ranks, names);
    for (auto at = names.begin(); at != names.end(); ++at) {
        std::string const name = &*at;
        felt::npz_array& array = file.arrays[name];
        broadcast(ranks, array.extents);
        std::size_t const type = felt::broadcast(ranks, array.values.index());
        if (type != array.values.index()) {
            if (type == 0) array.values.emplace<0>();
            if (type == 1) array.values.emplace<1>();
            if (type == 2) array.values.emplace<2>();
        }
        std::visit([&](auto& v) { broadcast(ranks, v); }, array.values);
        at += static_cast<std::ptrdiff_t>(name.size());
    }
}

// The state to go on from, whose seed is taken over; empty at the beginning of a run.
inline felt::npz state_of(job& j) {
    if (j.resume.empty()) return {};
    felt::npz file;
    if (j.ranks->is_first()) file = felt::load_npz(j.resume);
    file.file = j.resume;
    broadcast(*j.ranks, file);
    if (file.contains("seed")) {
        j.seed = static_cast<std::uint64_t>(file.scalar<std::int64_t>("seed"));
    }
    return file;
}

// Whether a state is due after these many iterations, and whether this rank writes it.
inline bool is_due(job const& j, felt::index_t iterations) {
    return !j.save.empty() && j.save_every > 0 && iterations % j.save_every == 0;
}
inline bool saves(job const& j) { return !j.save.empty() && j.ranks->is_first(); }
inline bool saves_after(job const& j, felt::index_t iterations) {
    return saves(j) && is_due(j, iterations);
}

// One of the names that an option has, as "setting.words".
inline void put_name(felt::npz& file, std::string const& option, std::string const& name) {
    file.put(option + "." + name, std::int64_t{1});
}

inline std::string name_in(felt::npz const& file, std::string const& option,
                           std::vector<std::string> const& names) {
    for (std::string const& name : names) {
        if (file.contains(option + "." + name)) return name;
    }
    throw felt::io_error(file.file + ": is no saved state of this example");
}

// Of a table of settings.
template <class S, std::size_t n>
S const& setting_for(S const (&settings)[n], std::string const& name) {
    for (S const& s : settings) {
        if (name == s.name) return s;
    }
    throw felt::error("no setting " + name);
}
template <class S, std::size_t n>
std::string setting_in(felt::npz const& file, S const (&settings)[n]) {
    std::vector<std::string> names;
    for (S const& s : settings) names.emplace_back(s.name);
    return name_in(file, "setting", names);
}

// What is given goes over a setting's own value, but not over what was saved.
template <class A, class B>
void lay_over(job const& j, char const* option, bool is_given, A const& given, B& value) {
    if (!is_given || given == value) return;
    if (!j.resume.empty()) {
        std::ostringstream text;
        text << j.resume << ": was saved with " << option << " " << value << ", not " << given;
        throw felt::io_error(text.str());
    }
    value = given;
}
template <class A, class B>
void lay_over(job const& j, char const* option, A const& given, B& value) {
    lay_over(j, option, given != A{}, given, value);
}

inline void put_list(felt::npz& file, char const* name, std::vector<double> const& v) {
    file.put(name, {static_cast<felt::index_t>(v.size())}, v);
}

inline std::vector<double> list_in(felt::npz const& file, char const* name, std::size_t count) {
    auto const& v = file.values<double>(name);
    if (v.size() == count) return v;
    throw felt::io_error(file.file + ": array '" + name + "' has " + std::to_string(v.size()) +
                         " values, not " + std::to_string(count));
}

// A size that the command line could have given.
inline felt::index_t count_in(felt::npz const& file, char const* name,
                              felt::index_t at_most = INT_MAX) {
    auto const n = file.scalar<std::int64_t>(name);
    if (n >= 1 && n <= at_most) return n;
    throw felt::io_error(file.file + ": '" + name + "' is " + std::to_string(n) + ", not 1 .. " +
                         std::to_string(at_most));
}

// The width of layers: some have its square of parameters, and all of these are in the file.
inline felt::index_t width_in(felt::npz const& file, char const* name) {
    std::size_t all = 0;
    for (auto const& [other, array] : file.arrays)
        all += std::visit([](auto const& v) { return v.size(); }, array.values);
    return count_in(file, name, static_cast<felt::index_t>(std::sqrt(static_cast<double>(all))));
}

template <class Optimiser>
void put_parts(felt::npz& file, Optimiser& optimiser) {
    optimiser.each_part([&](std::string const& name, auto& part) {
        file.put("optimiser." + name, std::as_const(part));
    });
}

// Of L-BFGS each pair is two arrays of the file: as many as it says are made before they are read.
template <class P>
P part_in(felt::npz const& file, std::string const& name) {
    P const part = file.scalar<P>(name);
    if constexpr (std::is_same_v<P, felt::index_t>) {
        auto const arrays = static_cast<felt::index_t>(file.arrays.size());
        if (part < 0 || (name == "optimiser.pairs" && part > arrays / 2))
            throw felt::io_error(file.file + ": '" + name + "' is " + std::to_string(part) +
                                 ", and the file has " + std::to_string(arrays) + " arrays");
    }
    return part;
}
template <class Optimiser>
void get_parts(felt::npz const& file, Optimiser& optimiser) {
    optimiser.each_part([&]<class P>(std::string const& name, P& part) {
        if constexpr (felt::element<P>) part = part_in<P>(file, "optimiser." + name);
        else file.get("optimiser." + name, part);
    });
}

// The fingerprint of what it was made on.
inline void check_data(felt::npz const& file, std::int64_t data, char const* otherwise) {
    if (file.scalar<std::int64_t>("data") != data) {
        throw felt::io_error(file.file + ": was saved while " + otherwise);
    }
}

}  // namespace support
