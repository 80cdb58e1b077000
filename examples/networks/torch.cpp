// SPDX-License-Identifier: BSD-3-Clause
//
// PyTorch's figures, by torch_peer.py in a process of its own.
#include <networks/measure.hpp>
#include <support/files.hpp>
#include <nlohmann/json.hpp>
#include <cstdio>

namespace networks {

namespace {

std::string quoted(std::string const& word) {
    std::string text = "'";
    for (char c : word) text += c == '\'' ? std::string("'\\''") : std::string(1, c);
    return text + "'";
}
std::string output_of(std::string const& command) {
    struct close {
        void operator()(std::FILE* f) const { pclose(f); }
    };
    std::unique_ptr<std::FILE, close> const pipe(popen(command.c_str(), "r"));
    if (!pipe) throw felt::error("cannot run: " + command);
    std::string text;
    char part[4096];
    while (std::size_t const n = std::fread(part, 1, sizeof part, pipe.get())) text.append(part, n);
    return text;
}

}  // namespace

std::vector<figures> measure_torch(entry const& e, index_t batch, job const& j,
                                   std::string const& what) {
    if (j.python.empty()) return {};
    std::string command = quoted(j.python) + " " + quoted(FELT_TORCH_PEER) + " " + quoted(e.name);
    for (auto const& n : {std::to_string(batch), std::to_string(j.steps), std::to_string(j.seconds),
                          std::to_string(j.threads), what})
        command += " " + n;
    auto const said = nlohmann::json::parse(output_of(command), nullptr, false);
    if (said.is_discarded() || !said.contains("infer"))
        throw felt::error("--python " + j.python + ": no figures of " + e.name +
                          "; has it PyTorch?");
    figures f{"PyTorch"};
    auto const get = [&](char const* name, times& to) {
        if (said.contains(name)) said[name].get_to(to.seconds);
    };
    get("infer", f.infer), get("forward", f.forward), get("gradient", f.gradient);
    get("step", f.step);
    f.peak = said.value("peak", 0.0);
    return {f};
}

}  // namespace networks
