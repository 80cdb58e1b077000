# SPDX-License-Identifier: BSD-3-Clause
"""A low-pass filter: what is above 1 kHz is taken out of the spectrum of a noisy signal."""
from recipe import Recipe, normal, np


def main():
    r = Recipe(does="Filters a signal", size=262144, unit="samples", least=2)
    n = r.size
    rate, cut = 44100, 1000  # per second

    phase = 2 * np.pi / rate * np.arange(n)
    clean = (np.sin(440 * phase) + 0.5 * np.sin(660 * phase)).astype(np.float32)
    x = clean + normal((n,), 1)

    def filtered():
        f = np.fft.rfftfreq(n, 1 / rate)
        spectrum = np.fft.rfft(x)
        low = np.fft.irfft(np.where(f <= cut, spectrum, 0), n=n)
        peak = np.argmax(np.abs(spectrum))
        return peak * rate / n, low
    loudest, y = r.best_of(filtered)

    print(f"loudest at: {loudest:.6g} Hz")
    print(f"noise: {np.std(x - clean):.6g}, after: {np.std(y - clean):.6g}")


main()
