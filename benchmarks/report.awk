# SPDX-License-Identifier: BSD-3-Clause
#
# Google Benchmark's JSON, one "key": value a line, to the tables of report.sh. A name is
# question/case/contestant; what Felt is compared with has the same name but for its last part.

function value(line) {
    sub(/^[^:]*: */, "", line)
    sub(/,? *$/, "", line)
    gsub(/"/, "", line)
    return line
}

/"instructions":/ { instructions = value($0) }
/"not found":/    { missing = value($0) }
/"run_name":/     { name = value($0); kind = ""; failed = 0; share = 0 }
/"run_type":/     { kind = value($0) }
/"error_occurred": true/ { failed = 1 }
/"cpu_time":/     { time = value($0) + 0 }
/"time_unit":/    { unit = value($0); time *= unit == "ns" ? 1e-3 : unit == "ms" ? 1e3 : unit == "s" ? 1e6 : 1 }
/"of_roof":/      { share = value($0) + 0 }
/^ *},?$/ {
    if (name != "" && kind == "iteration") {
        if (failed) lost[name] = 1
        else take()
    }
    name = ""
}

function take() {
    if (!(name in best)) order[++names] = name
    if (!(name in best) || time < best[name]) best[name] = time
    if (share > roof[name]) roof[name] = share
}

# "a/b/felt", "onednn" -> "a/b/onednn"; a peer that chooses its own layout is under "best".
function peer_of(ours, peer, other) {
    other = ours
    sub(/[^\/]*$/, peer, other)
    if (!(other in best)) sub(/\/[rc][rc]\/[^\/]*$/, "/best/" peer, other)
    return other
}

function add(ratio, where) {
    count++
    logs += log(ratio)
    if (count == 1 || ratio < least) { least = ratio; at = where }
}

# One row: the geometric mean and the least of the ratios, and whether both are as wanted.
function row(title, mean_wanted, least_wanted, mean, wanted, verdict) {
    if (count == 0) {
        printf "| %s | | | not measured |\n", title
    } else {
        mean = exp(logs / count)
        wanted = (mean_wanted > 0 ? sprintf("mean %.2f ", mean_wanted) : "") \
                 (least_wanted > 0 ? sprintf("each %.2f", least_wanted) : "")
        verdict = wanted == "" ? "" : mean >= mean_wanted && least >= least_wanted ? "yes" : "**no**"
        printf "| %s | %.2f | %.2f (%s) | %s %s |\n", title, mean, least, at, wanted, verdict
    }
    count = logs = 0
}

function against(title, pattern, peer, mean_wanted, least_wanted, i, other) {
    for (i = 1; i <= names; i++) {
        if (order[i] !~ pattern) continue
        other = peer_of(order[i], peer)
        if (other in best) add(best[other] / best[order[i]], order[i])
    }
    row(title, mean_wanted, least_wanted)
}

function share_of_roof(title, pattern, least_wanted, i) {
    for (i = 1; i <= names; i++) {
        if (order[i] ~ pattern) add(roof[order[i]], order[i])
    }
    row(title, 0, least_wanted)
}

function targets() {
    print "| what | geometric mean | least | target |"
    print "|---|---|---|---|"
    against("matmul, float: oneDNN's best / ours", "^product/float/.*/felt$", "onednn", 0.95, 0.8)
    share_of_roof("matmul, float, 512 to 2048: of the FMA peak", "^product/float/(512|1024|2048)x(512|1024|2048)x(512|1024|2048)/.*/felt$", 0.9)
    share_of_roof("matmul, double, 512 to 2048: of the FMA peak", "^product/double/(512|1024|2048)x(512|1024|2048)x(512|1024|2048)/.*/felt$", 0.9)
    against("einsum of the same: matmul / einsum", "^product/.*/einsum$", "felt", 0, 0.85)
    against("matmul: OpenBLAS / ours", "^product/.*/rr/felt$", "openblas", 0, 0)
    against("matmul: Eigen / ours", "^product/.*/rr/felt$", "eigen", 0, 0)
    against("sigmoid(w x + b): oneDNN's best / ours", "^product_sigmoid/.*/felt$", "onednn", 1, 0.85)
    against("sigmoid(w x + b): unfused / fused", "^product_sigmoid/.*/felt$", "unfused", 0, 0)
    against("perceptron: unfused / fused", "^perceptron/.*/felt$", "unfused", 0, 1.6)
    against("perceptron: two of oneDNN's / ours", "^perceptron/.*/felt$", "onednn", 0, 0)
    against("nested products: two statements / fused", "^nested/.*/felt$", "two", 0, 0.91)
    against("relu(conv + b), N H W C: oneDNN / ours", "^conv/.*/nhwc/felt$", "onednn", 0, 0)
    against("relu(conv + b), N H W C: oneDNN in its own order / ours", "^conv/.*/nhwc/felt$", "blocked", 0, 0)
    against("relu(conv + b), N C H W: oneDNN / ours", "^conv/.*/nchw/felt$", "onednn", 0, 0)
    against("relu(conv + b), packed filters, N H W C: oneDNN / ours", "^conv/.*/nhwc/packed$", "onednn", 0, 0)
    against("relu(conv + b), packed filters, N C H W: oneDNN / ours", "^conv/.*/nchw/packed$", "onednn", 0, 0)
    against("gradient of filters, N H W C: oneDNN / ours", "^conv_weight_grad/.*/nhwc/felt$", "onednn", 0, 0)
    against("gradient of filters, N C H W: oneDNN / ours", "^conv_weight_grad/.*/nchw/felt$", "onednn", 0, 0)
    against("gradient of images, N H W C: oneDNN / ours", "^conv_input_grad/.*/nhwc/felt$", "onednn", 0, 0)
    against("gradient of images, N C H W: oneDNN / ours", "^conv_input_grad/.*/nchw/felt$", "onednn", 0, 0)
    against("meanpool(sigmoid(conv + b)): oneDNN's best / ours", "^mean_sigmoid/.*/felt$", "onednn", 0, 0)
    against("meanpool(sigmoid(conv + b)): unfused / fused", "^mean_sigmoid/.*/felt$", "unfused", 0, 0)
    against("maxpool(relu(conv + b)): oneDNN's best / ours", "^max_relu/.*/felt$", "onednn", 0, 0)
    against("maxpool(relu(conv + b)): unfused / fused", "^max_relu/.*/felt$", "unfused", 0, 0)
    against("ResNet-50, inference: the sum of oneDNN's primitives / ours", "^resnet50/.*/felt$", "onednn", 0.9, 0)
    against("ResNet-50, inference: unfused / fused", "^resnet50/.*/felt$", "unfused", 0, 0)
    against("conv(relu(conv)): two statements / fused", "^conv_conv/.*/felt$", "two", 0, 0)
    against("the study: one matrix at a time / one expression", "^study/.*/felt$", "slices", 0, 0)
    against("the study: flattened / one expression", "^study/.*/felt$", "flattened", 0, 0)
    against("FISTA, 100 steps: unfused / fused", "^fista/.*/felt$", "unfused", 0, 1.4)
    against("FISTA, 100 steps: unfused / by columns", "^fista/.*/columns$", "unfused", 0, 1.8)
    against("LSTM forward, 128 x 1024: oneDNN / ours", "^lstm_forward/.*/128x1024x30/felt$", "onednn", 0, 0.95)
    share_of_roof("the same, of the FMA peak", "^lstm_forward/.*/128x1024x30/felt$", 0.9)
    against("LSTM forward, 32 x 128: oneDNN / ours", "^lstm_forward/.*/32x128x30/felt$", "onednn", 0, 1.1)
    share_of_roof("the same, of the FMA peak", "^lstm_forward/.*/32x128x30/felt$", 0.7)
    against("LSTM training step, 32 x 128: oneDNN / ours", "^lstm_training/.*/32x128x30/felt$", "onednn", 0, 1.1)
    against("LSTM training step: oneDNN / ours", "^lstm_training/.*/felt$", "onednn", 0, 0)
    against("LSTM: unfused / fused", "^lstm_.*/felt$", "unfused", 0, 1)
    share_of_roof("clip: of the best copy", "^stream/.*/felt$", 0.9)
    against("clip: unfused / fused", "^stream/.*/felt$", "unfused", 0, 5)
    against("clip: xtensor / ours", "^stream/.*/felt$", "xtensor", 0, 1)
    against("clip: Eigen / ours", "^stream/.*/felt$", "eigen", 0, 1)
    share_of_roof("x + transpose(x): of the best copy", "^transpose/.*/felt$", 0.6)
    share_of_roof("sum<0>, sum<1>, both orders: of reading", "^sum/.*/felt$", 0.9)
    against("sums: Eigen / ours", "^sum/.*/felt$", "eigen", 0, 0)
    against("sums: xtensor / ours", "^sum/.*/felt$", "xtensor", 0, 0)
    against("softmax<1>: exp / softmax", "^softmax/rows/felt$", "exp", 0, 0.8)
    against("softmax<0>: exp / softmax", "^softmax/columns/felt$", "exp", 0, 0)
    against("softmax<1> of a product: two statements / fused", "^softmax/product/felt$", "two", 0, 0)
    against("softmax: unfused / fused", "^softmax/.*/felt$", "unfused", 0, 0)
    against("softmax: oneDNN / ours", "^softmax/.*/felt$", "onednn", 0, 0)
    against("sigmoid in L1: oneDNN / ours", "^sigmoid<float>/felt$", "onednn", 0, 1)
    against("tanh in L1: oneDNN / ours", "^tanh<float>/felt$", "onednn", 0, 0)
    against("exp in L1: oneDNN / ours", "^exp<float>/felt$", "onednn", 0, 0)
}

function cell(ours, peer, other) {
    other = peer_of(ours, peer)
    return (other in best) && other != ours ? sprintf("%.2f", best[other] / best[ours]) : ""
}

function share_cell(ours) { return roof[ours] > 0 ? sprintf("%.2f", roof[ours]) : "" }

function cases(i, ours) {
    print "| case | us | of roof | unfused | oneDNN | OpenBLAS | Eigen | xtensor |"
    print "|---|--:|--:|--:|--:|--:|--:|--:|"
    fflush()
    for (i = 1; i <= names; i++) {
        ours = order[i]
        if (ours !~ /\/felt$/) continue
        printf "| %s | %.1f | %s | %s | %s | %s | %s | %s |\n", substr(ours, 1, length(ours) - 5),
            best[ours], share_cell(ours), cell(ours, "unfused"),
            cell(ours, "onednn"), cell(ours, "openblas"), cell(ours, "eigen"), cell(ours, "xtensor") | "sort -V"
    }
    close("sort -V")
}

END {
    printf "One thread, instructions of %s; peers not found: %s.\n\n", instructions, missing
    targets()
    print ""
    cases()
    for (name in lost) {
        if (!(name in best)) printf "\n%s did not take part: its result is wrong, or it was not found.\n", name
    }
}
