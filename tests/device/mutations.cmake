# SPDX-License-Identifier: BSD-3-Clause
#
# Mistakes that the tests of what a GPU runs have to find, each a test of the night: the header is
# changed, and one of the tests fails that is compiled with it.
#
#   mutation(<name> <header> <what is there> <what is instead> <test>...)

# What is brought to a tile: ends of terms and of rows, fills, banks.
set(load device/tile/program_load)
mutation(terms_by_steps_past_the_last ${load} "end - from - at.depth : 0" "end - from - at.depth + 1 : 0" ${load})
mutation(terms_by_packets_past_the_last ${load} "from + at.depth < end, find" "from + at.depth <= end, find" ${load})
mutation(terms_each_past_the_last ${load} "if (j < count) from" "if (j <= count) from" ${load})
mutation(terms_computed_past_the_last ${load} "if (j >= count) p" "if (j > count) p" ${load} device/tile/program)
mutation(rows_past_the_last ${load} "only_if(left_ > 0 && from" "only_if(from" ${load})
mutation(fill_is_zero ${load} "if (x0.inside || x0.fill == T(0)) {" "if (true) {" ${load})
mutation(fill_beyond_the_terms ${load} "there ? from.fill : T(0)" "from.fill" ${load})
mutation(steps_of_one ${load} "x0.data + j * step" "x0.data + j" ${load})
mutation(no_padding_for_tensor_cores device/tile/mma "padding = 8" "padding = 0" device/tile/simt)
mutation(no_padding_for_threads device/tile/simt "padding = 4" "padding = 0" ${load})

# Stages of a tile, and who has read them.
set(program device/tile/program)
mutation(wait_for_a_stage_less ${program} "wait<stages - 2>()" "wait<stages - 1>()" ${program})
mutation(fetch_before_the_barrier ${program} "        block.sync();
        fetch(free, k + ahead * Way::depth);" "        fetch(free, k + ahead * Way::depth);
        block.sync();" ${program} device/tile/mutation)
mutation(free_stage_is_the_next ${program} "free = now;" "free = now + 1 == stages ? 0 : now + 1;"
    ${program})
mutation(tiles_of_a_short_group ${program} "left < together ? left : together" "together" ${program})
mutation(a_row_too_many ${program} "if (r >= g.rows) continue" "if (r > g.rows) continue" ${program})
mutation(a_column_too_many ${program} "if (s < g.columns) {" "if (s <= g.columns) {" ${program})

# Parts of sums, between blocks.
mutation(no_fence_before_the_count ${program} "    block.fence();
    block.sync();" "    block.sync();" ${program})
mutation(fence_after_the_barrier ${program} "    block.fence();
    block.sync();" "    block.sync();
    block.fence();" ${program})
mutation(no_fence_after_the_count ${program} "    block.sync();
    block.fence();" "    block.sync();" ${program})
mutation(parts_are_stale ${program} "block.fresh(part(split, n))" "part(split, n)" ${program})
mutation(last_but_one ${program} "add_one(counter) + 1U" "add_one(counter) + 2U" ${program})

# How operands lie: what is read as a packet has to be one.
set(order device/tile/operand_order)
mutation(base_of_packets_is_not_aligned ${order} "address % sizeof(packet<T>) == 0" "address % sizeof(T) == 0" ${order})
mutation(begin_of_packets_is_not_aligned ${order} "x.begin.v[f] % packet_size == 0 && " "" ${order})
mutation(next_row_of_packets_is_not_aligned ${order} "of.by[r][f] % packet_size != 0" "of.by[r][f] % 2 != 0" ${order})
mutation(packets_straddle_digits ${order} "step == 1 && inner.by % packet_size == 0" "step == 1" ${order})
mutation(neighbours_straddle_digits ${order} "x.digits.extent[N - 1].by % packet_size == 0" "true" ${order})
mutation(always_packed ${order} "else if (to.term.packed()) to" "else to" ${order} ${load})
mutation(always_alike ${order} "to.whole && to.term.alike()" "to.whole" ${order} ${load})
mutation(borders_are_memory ${order} "f >= Checked && reads_memory" "reads_memory" ${order})

# Fragments of tensor cores, and who has which sum.
set(fragments device/tile/mma)
mutation(rows_of_a_fragment ${fragments} "thread % 32 / 4;" "thread % 32 / 8;" ${fragments})
mutation(words_of_a_fragment ${fragments} "x + r / 2 * step * pitch_a" "x + r % 2 * step * pitch_a" ${fragments})
mutation(one_rest_is_left_out ${fragments} "block.template mma<Atom>(c.v, small.a, big.b);" ""
    ${fragments})
mutation(members_of_a_group device/tile/operand "p / (group_size * Run) * Run + p % Run" "p / group_size"
    device/tile/operand device/tile/pool)

# Chains by packets, and the index of an element.
set(packets device/packets)
mutation(chain_is_not_aligned ${packets} "% alignof(packet<T>) == 0" "% alignof(T) == 0" ${packets})
mutation(row_of_a_chain_is_not_aligned ${packets} "by[l] % packet_size == 0" "by[l] % 2 == 0" ${packets})
mutation(rest_of_a_row ${packets} "e[R - 1] % packet_size == 0" "e[R - 1] % 2 == 0" ${packets})
mutation(step_is_taken_for_none ${packets} "x.by[R - 1] == 0 ||" "x.by[R - 1] < 2 ||" ${packets})
mutation(packets_overlap ${packets} "at[R - 1] *= packet_size;" "" ${packets})
mutation(a_digit_that_is_not_one device/loops "if (e[l] == 1 && first == static_cast<int>(l)) ++first" "if (e[l] == 1) ++first"
    device/loops)
