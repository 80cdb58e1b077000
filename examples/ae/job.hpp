// SPDX-License-Identifier: BSD-3-Clause
//
// What the command line asks for, and the two things this program can do.
#pragma once
#include <support/options.hpp>

namespace ae {

struct job {
    support::options common;
    std::string setting = "mnist";
    bool setting_given = false, out_given = false;
    bool reference = false;  // also write what scipy_reference.py reads
};

// Both return the status to exit with.
int check();
int train(job j);

}  // namespace ae
