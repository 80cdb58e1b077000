// SPDX-License-Identifier: BSD-3-Clause
//
// Networks: layers, blocks of them by |, networks of blocks by <<.
#pragma once
#include <felt/nn/beside.hpp>
#include <felt/nn/embed.hpp>
#include <felt/nn/plus.hpp>
#include <felt/nn/recurrent_stage.hpp>
