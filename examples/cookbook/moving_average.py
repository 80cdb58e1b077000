# SPDX-License-Identifier: BSD-3-Clause
"""A time series with gaps: moving averages, how often it crosses them, and its largest fall."""
from recipe import Recipe, normal, np, uniform


def main():
    r = Recipe(does="Smooths a series", size=1000000, unit="values", least=52)
    n, width = r.size, 50

    gap = uniform((n,), 1) < 0.01
    walk = np.cumsum(normal((n,), 2).astype(np.float64))
    x = np.where(gap, np.nan, 100 + 0.01 * walk)

    def smoothed():
        total = np.cumsum(np.nan_to_num(x))
        count = np.cumsum(~np.isnan(x))

        def window(sums):
            return sums[width:] - sums[:-width]
        average = window(total) / window(count)
        above = x[width:] > average
        crossings = np.count_nonzero(above[1:] != above[:-1])
        fall = np.nanmax(np.maximum.accumulate(np.nan_to_num(x, nan=-np.inf)) - x)
        return average, crossings, fall
    average, crossings, fall = r.best_of(smoothed)

    print(f"mean: {np.nanmean(x):.6g}, of averages: {np.mean(average):.6g}")
    print(f"crossings: {crossings}")
    print(f"largest fall: {fall:.6g}")


main()
