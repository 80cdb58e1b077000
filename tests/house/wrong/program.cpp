// SPDX-License-Identifier: BSD-3-Clause
//
// The program that wrong/docs/page.md quotes, once truly and once not.
#include <vector>

int main() {
    //[same]
    std::vector<int> x{1, 2, 3};
    if (x[0] == 1) {
        x[1] = 4;  // a list; with [brackets] and "\n"
    }
    //[same]
    //[altered]
    return x[0] - 1;
    //[altered]
}
