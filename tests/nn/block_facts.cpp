// SPDX-License-Identifier: BSD-3-Clause
#include <doctest/doctest.h>
#include <felt/nn.hpp>
#include <type_traits>

namespace nn = felt::nn;

TEST_CASE("a block's type says what it reads and what it gives") {
    using relu = std::remove_const_t<decltype(nn::relu)>;
    static_assert(nn::detail::rank_read<nn::conv, relu> == 4);
    static_assert(nn::detail::rank_read<relu, nn::dense> == 2);
    static_assert(nn::detail::rank_read<relu, nn::norm> == 4);
    static_assert(nn::detail::rank_read<relu> == 2);
    static_assert(nn::detail::keeps_shape<relu, nn::dropout>);
    static_assert(!nn::detail::keeps_shape<relu, nn::dense>);
    static_assert(!nn::detail::keeps_shape<nn::norm>);
    static_assert(nn::detail::has_no_parameters<nn::max_pool>);
    static_assert(!nn::detail::has_no_parameters<nn::dense>);
    static_assert(
        nn::detail::is_of_parameter<felt::literal_name<felt::fixed_string("0.weight")>>());
    static_assert(!nn::detail::is_of_parameter<felt::literal_name<felt::fixed_string("v")>>());
    CHECK(nn::detail::texts_of(nn::dense{10}, nn::relu) == "dense 10 | relu");
    struct own {};
    CHECK(nn::detail::text_of(own{}) == "layer");
}
