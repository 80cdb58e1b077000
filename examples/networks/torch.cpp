// SPDX-License-Identifier: BSD-3-Clause
#include <networks/measure.hpp>
#include <networks/torch.hpp>
#include <nlohmann/json.hpp>
#include <cstdio>

namespace networks {

namespace {

std::string quoted(std::string const& word) {
    std::string text = "'";
    for (char c : word) text += c == '\'' ? std::string("'\\''") : std::string(1, c);
    return text + "'";
}
struct output {
    std::string text;
    bool failed;
};
output output_of(std::string const& command) {
    std::FILE* const pipe = popen(command.c_str(), "r");
    if (pipe == nullptr) throw felt::error("cannot run: " + command);
    output all{};
    char part[4096];
    while (std::size_t const n = std::fread(part, 1, sizeof part, pipe)) all.text.append(part, n);
    all.failed = pclose(pipe) != 0;
    return all;
}

}  // namespace

std::string torch_says(std::string const& python, std::vector<std::string> const& words) {
    std::string command = quoted(python) + " " + quoted(FELT_TORCH_PEER);
    for (auto const& word : words) command += " " + quoted(word);
    return output_of(command).text;
}

void check_torch(std::string const& python) {
    if (output_of(quoted(python) + " -c 'import numpy, torch'").failed)
        throw felt::error("--python " + python + ": has no PyTorch and NumPy");
}

std::vector<figures> measure_torch(entry const& e, index_t batch, job const& j,
                                   std::string const& what) {
    if (j.python.empty()) return {};
    auto const text =
        torch_says(j.python, {e.name, std::to_string(batch), std::to_string(j.steps),
                              std::to_string(j.seconds), std::to_string(j.threads), what});
    auto const said = nlohmann::json::parse(text, nullptr, false);
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
