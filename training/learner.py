"""A network that learns: three layers, Adam, the same code on a processor (NumPy) and on a GPU (CuPy)."""

from functools import cache
from typing import Any

import numpy as np

HIDDEN = 256, 32  # units of the first and second layer
RATE, LAST_RATE = 2e-3, 2e-5  # of learning, at the beginning and at the end
KEEP, KEEP_SQUARE, TINY = 0.9, 0.999, 1e-8
ACTIVE = 150.0  # inputs that are there at a time, about
CHUNK = 1 << 17  # rows judged at a time
SMALL = 1 / 32  # what slopes are summed up in, so that half precision holds the sum of a batch that agrees


class Learner:
    """All weights lie in one vector, of which each layer is a view."""

    def __init__(self, xp: Any, words: int, outcomes: int, seed: int, active: float = ACTIVE) -> None:
        self.xp, self.words, self.outcomes = xp, words, outcomes
        first, second = HIDDEN
        self.shapes = [(64 * words, first), (first,), (first, second), (second,), (second, outcomes), (outcomes,)]
        spread = [(2 / active) ** 0.5, 0.0, (2 / first) ** 0.5, 0.0, 0.1, 0.0]
        rng = np.random.default_rng(seed)
        drawn = [rng.normal(0, 1, shape) * scale for shape, scale in zip(self.shapes, spread, strict=True)]
        self.flat = xp.asarray(np.concatenate([part.ravel() for part in drawn]).astype(np.float32))
        self.mean, self.square, self.steps = xp.zeros_like(self.flat), xp.zeros_like(self.flat), 0
        self.small: list[Any] = []  # the layers in half precision, once asked for

    def parts(self, flat: Any) -> list[Any]:
        """The layers of a vector."""
        sizes = [int(np.prod(shape)) for shape in self.shapes]
        ends = np.cumsum(sizes).tolist()
        return [
            flat[end - size : end].reshape(shape) for end, size, shape in zip(ends, sizes, self.shapes, strict=True)
        ]

    def unpack(self, words: Any) -> Any:
        """The inputs as numbers, 0 or 1."""
        if self.xp is np:
            return np.unpackbits(words.view(np.uint8), axis=1, bitorder="little").astype(np.float32)
        out = self.xp.empty((len(words), 64 * self.words), np.float16)
        unpack_on_device(words, out)
        return out

    def halves(self) -> list[Any]:
        """The layers as they are calculated with: in half precision on a GPU."""
        if not self.small:
            self.small = self.parts(self.flat if self.xp is np else self.flat.astype(np.float16))
        return self.small

    def judge(self, words: Any) -> Any:
        """The chance of every outcome for some rows, the reader's win first."""
        xp = self.xp
        a, a0, b, b0, c, c0 = self.halves()
        chances = xp.empty((len(words), self.outcomes), np.float32)
        for at in range(0, len(words), CHUNK):
            x = positive(xp, self.unpack(words[at : at + CHUNK]) @ a, a0)
            x = positive(xp, x @ b, b0)
            chances[at : at + CHUNK] = softmax(xp, (x @ c + c0).astype(np.float32))
        return chances

    def learn(self, words: Any, targets: Any, rate: float) -> Any:
        """One step of Adam towards these chances; the mean cross entropy. A row of zeros teaches nothing."""
        xp, rows = self.xp, len(words)
        a, a0, b, b0, c, c0 = self.halves()
        x = self.unpack(words)
        y = positive(xp, x @ a, a0)
        z = positive(xp, y @ b, b0)
        chances = softmax(xp, (z @ c + c0).astype(np.float32))
        taught = targets.sum(1, keepdims=True)
        loss = -(targets * xp.log(chances + 1e-9)).sum() / xp.maximum(1, taught.sum())
        out = (SMALL * (chances * taught - targets)).astype(x.dtype)
        back = (out @ c.T) * (z > 0)
        further = (back @ b.T) * (y > 0)
        ones = xp.ones((1, rows), x.dtype)
        slopes = x.T @ further, ones @ further, y.T @ back, ones @ back, z.T @ out, ones @ out
        self.adam(xp.concatenate([slope.ravel() for slope in slopes]).astype(np.float32) / (SMALL * rows), rate)
        return loss

    def adam(self, slope: Any, rate: float) -> None:
        """Change the weights."""
        xp = self.xp
        self.steps += 1
        self.mean += (1 - KEEP) * (slope - self.mean)
        self.square += (1 - KEEP_SQUARE) * (slope * slope - self.square)
        rate *= (1 - KEEP_SQUARE**self.steps) ** 0.5 / (1 - KEEP**self.steps)
        self.flat -= rate * self.mean / (xp.sqrt(self.square) + TINY)
        self.small = []

    def load(self, flat: Any) -> None:
        """Take weights over."""
        self.flat[:] = self.xp.asarray(flat)
        self.small = []


def positive(xp: Any, sums: Any, bias: Any) -> Any:
    """What is positive of sums with their bias, in place."""
    if xp is not np:
        return positive_on_device(sums, bias)
    sums += bias
    return np.maximum(sums, 0, out=sums)


def softmax(xp: Any, logits: Any) -> Any:
    """Chances from logits."""
    logits -= logits.max(1, keepdims=True)
    xp.exp(logits, out=logits)
    logits /= logits.sum(1, keepdims=True)
    return logits


@cache
def on_device(name: str) -> Any:
    """The kernels for a GPU."""
    import cupy

    return cupy.RawModule(code=KERNELS).get_function(name)


def unpack_on_device(words: Any, out: Any) -> None:
    """Bits as halves, eight by each thread."""
    eighths = 8 * words.size
    on_device("unpack")((-(-eighths // 256),), (256,), (words, out, np.int64(eighths)))


def positive_on_device(sums: Any, bias: Any) -> Any:
    """What is positive of sums with their bias, in place."""
    on_device("positive")((-(-sums.size // 256),), (256,), (sums, bias, np.int64(sums.size), np.int64(len(bias))))
    return sums


KERNELS = r"""
extern "C" __global__ void unpack(const unsigned char* bits, uint4* out, long long count) {
    long long i = blockIdx.x * (long long)blockDim.x + threadIdx.x;
    if (i >= count) return;
    unsigned int b = bits[i];
    const unsigned int one = 0x3C00u;
    uint4 v;
    v.x = (b & 1 ? one : 0u) | (b & 2 ? one << 16 : 0u);
    v.y = (b & 4 ? one : 0u) | (b & 8 ? one << 16 : 0u);
    v.z = (b & 16 ? one : 0u) | (b & 32 ? one << 16 : 0u);
    v.w = (b & 64 ? one : 0u) | (b & 128 ? one << 16 : 0u);
    out[i] = v;
}
extern "C" __global__ void positive(unsigned short* sums, const unsigned short* bias, long long count, long long n) {
    long long i = blockIdx.x * (long long)blockDim.x + threadIdx.x;
    if (i >= count) return;
    unsigned short r;
    asm("{.reg .f16 a, b, z; mov.b16 a, %1; mov.b16 b, %2; mov.b16 z, 0;"
        " add.f16 a, a, b; max.f16 a, a, z; mov.b16 %0, a;}"
        : "=h"(r) : "h"(sums[i]), "h"(bias[i % n]));
    sums[i] = r;
}
"""
