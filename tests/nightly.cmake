# SPDX-License-Identifier: BSD-3-Clause
#
# What ./run nightly builds and runs and ./run test does not (FELT_NIGHTLY, label nightly): what
# takes long, and of which a part, or the like of each part, is tested each time, too.
set(FELT_EACH_NIGHT
    # Every row and mask, and compositions of them. Rules have their tests one by one.
    "grad/(cells|compositions|cumulative_rules|every_function|every_mask|known_norm|partials)"
    # Layers by blocks of many kinds: nets of them are tested each time.
    "nn/(beside|block|chain|embed|fold|loss|plus|recurrent_stage|stage)"
    # Names of other libraries. What stands for them is tested where it is defined; factors of
    # matrices, which are Eigen's.
    "from_numpy/(linear|object|torch_.*)" "linalg" "nn"
    # Long runs of what shorter ones test.
    "host/nested_bits" "core/math_sweep" "distributed/train.*"
    # Examples beyond a step and its gradient; FISTA, of whose statements tests/nn has the like;
    # networks, whose layers it has.
    "examples/(.*archetype|cnn_quantised|cnn_trial|derived.*|lstm_operations)"
    "examples/(networks.*|principal|(ranks_)?(fista|lstm|resnet).*)"
    # Lessons of the tour that teach what tests/nn tests.
    "tour/(network|recurrent)"
    # By a device all but tests/device and an example.
    "by_device/.*" "examples/(device_(cnn|fista|lstm|resnet)|cnn_device)"
    "device/(unoptimised|openmp/.*)"
    # Convolutions and pools by the tile program in all their forms: products are tested each time,
    # and some convolutions and pools by the differential test of a device.
    "device/tile/(convolve|pool)"
    # Headers with mistakes, a compilation each.
    "device/mutations.*"
    # By nvcc all but nodes, functors, words, and the kernel of a statement.
    "device/(norm|words_statements|tour_expressions|host_statements|cuda|ae_gpu)"
    "device/(tile/kernel|instructions)"
    "distributed/nccl"
    # Programs that must not compile, by another compiler.
    "reject/clang/.*"
    # Other ways to install, other flags; that a budget can be exceeded.
    "install/(subdirectory|fetch)" "warnings/.*" "house/instantiated_can_fail"
)

function(felt_is_nightly result name)
    set(${result} FALSE PARENT_SCOPE)
    foreach(pattern IN LISTS FELT_EACH_NIGHT)
        if(name MATCHES "^${pattern}$")
            set(${result} TRUE PARENT_SCOPE)
        endif()
    endforeach()
endfunction()

# felt_is_built(<result> <name>): of a test, by its name, or of what an example is made of.
function(felt_is_built result name)
    felt_is_nightly(nightly ${name})
    set(${result} TRUE PARENT_SCOPE)
    if(nightly AND NOT FELT_NIGHTLY)
        set(${result} FALSE PARENT_SCOPE)
    endif()
endfunction()

# felt_keep_built(<list of sources> <folder, or "">): those whose tests are built.
function(felt_keep_built list folder)
    set(kept)
    foreach(source IN LISTS ${list})
        string(REGEX REPLACE "\\.c(pp|u)$" "" name "${folder}${source}")
        felt_is_built(built ${name})
        if(built)
            list(APPEND kept ${source})
        endif()
    endforeach()
    set(${list} ${kept} PARENT_SCOPE)
endfunction()

# felt_label_nightly(<test>): if it is one.
function(felt_label_nightly test)
    felt_is_nightly(nightly ${test})
    if(nightly)
        set_property(TEST ${test} APPEND PROPERTY LABELS nightly)
    endif()
endfunction()
