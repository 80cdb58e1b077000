// SPDX-License-Identifier: BSD-3-Clause
//
// The file of --save and --resume: what the states of all examples have in common, and the errors
// where a file is not what the command line says.
//
//   to_npz:    put_name(file, "setting", "words"), put_list(file, "costs", t.costs),
//              put_parts(file, t.optimiser)
//   from_npz:  setting_in(file, settings), check_data(file, t.data, "training on another text"),
//   get_parts(file, t.optimiser)
#pragma once
#include <felt/npz.hpp>
#include <support/job.hpp>
#include <sstream>
#include <string>
#include <vector>

namespace support {

// The state to go on from, whose seed is taken over; empty at the beginning of a run.
inline felt::npz state_of(job& j) {
    if (j.resume.empty()) return {};
    felt::npz file = felt::load_npz(j.resume);
    if (file.contains("seed")) {
        j.seed = static_cast<std::uint64_t>(file.scalar<std::int64_t>("seed"));
    }
    return file;
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

template <class Optimiser>
void put_parts(felt::npz& file, Optimiser& optimiser) {
    optimiser.each_part([&](std::string const& name, auto& part) {
        file.put("optimiser." + name, std::as_const(part));
    });
}
template <class Optimiser>
void get_parts(felt::npz const& file, Optimiser& optimiser) {
    optimiser.each_part([&]<class P>(std::string const& name, P& part) {
        if constexpr (felt::element<P>) part = file.scalar<P>("optimiser." + name);
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
