# SPDX-License-Identifier: BSD-3-Clause
"""The price of an Asian option: the mean, over random paths of Black and Scholes, of what the average
price of a year is above the strike."""
from math import exp, sqrt
from recipe import Recipe, normal, np


def main():
    r = Recipe(does="Prices an option", size=20000, unit="paths")
    n, days = r.size, 252
    start, strike, rate, volatility, day = 100, 105, 0.03, 0.2, 1 / 252

    z = normal((n, days), 1)

    def discounted():
        drift = (rate - volatility * volatility / 2) * day
        path = start * np.exp(np.cumsum(drift + volatility * sqrt(day) * z, axis=1))
        return exp(-rate) * np.maximum(np.mean(path, axis=1) - strike, 0)
    payoff = r.best_of(discounted)

    print(f"price: {np.mean(payoff):.6g}")
    print(f"error: {np.std(payoff, ddof=1) / sqrt(n):.6g}")


main()
