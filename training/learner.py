"""A network that learns: three layers, Adam, the same code on a processor (NumPy) and on a GPU (CuPy)."""

from typing import Any

import numpy as np

HIDDEN = 256, 32  # units of the first and second layer
RATE, LAST_RATE = 2e-3, 2e-5  # of learning, at the beginning and at the end
KEEP, KEEP_SQUARE, TINY = 0.9, 0.999, 1e-8
ACTIVE = 150  # inputs that are there at a time, about
CHUNK = 1 << 17  # rows judged at a time


class Learner:
    """All weights lie in one vector, of which each layer is a view."""

    def __init__(self, xp: Any, words: int, players: int, seed: int, hidden: tuple[int, int] = HIDDEN) -> None:
        self.xp, self.words, self.players, self.hidden = xp, words, players, hidden
        first, second = hidden
        self.shapes = [(64 * words, first), (first,), (first, second), (second,), (second, players), (players,)]
        spread = [(2 / ACTIVE) ** 0.5, 0.0, (2 / first) ** 0.5, 0.0, 0.1, 0.0]
        rng = np.random.default_rng(seed)
        drawn = [rng.normal(0, 1, shape) * scale for shape, scale in zip(self.shapes, spread, strict=True)]
        self.flat = xp.asarray(np.concatenate([part.ravel() for part in drawn]).astype(np.float32))
        self.mean, self.square, self.steps = xp.zeros_like(self.flat), xp.zeros_like(self.flat), 0
        self.small: Any = None  # the first two layers in half precision, for judging

    def parts(self, flat: Any) -> list[Any]:
        """The layers of a vector."""
        sizes = [int(np.prod(shape)) for shape in self.shapes]
        ends = np.cumsum(sizes).tolist()
        return [flat[end - size : end].reshape(shape) for end, size, shape in zip(ends, sizes, self.shapes, strict=True)]

    def unpack(self, words: Any, kind: Any) -> Any:
        """The inputs as numbers, 0 or 1."""
        if self.xp is np:
            return np.unpackbits(words.view(np.uint8), axis=1, bitorder="little").astype(kind)
        out = self.xp.empty((len(words), 64 * self.words), kind)
        return unpack_on_device()(words.ravel(), out)

    def judge(self, words: Any) -> Any:
        """Every seat's chance for some rows, the reader's first."""
        xp, kind = self.xp, np.float32 if self.xp is np else np.float16
        if self.small is None:
            self.small = [part.astype(kind) for part in self.parts(self.flat)[:4]]
        a, a0, b, b0 = self.small
        c, c0 = self.parts(self.flat)[4:]
        chances = xp.empty((len(words), self.players), np.float32)
        for at in range(0, len(words), CHUNK):
            x = positive(xp, self.unpack(words[at : at + CHUNK], kind) @ a, a0)
            x = positive(xp, x @ b, b0).astype(np.float32)
            chances[at : at + CHUNK] = softmax(xp, x @ c + c0)
        return chances

    def learn(self, words: Any, targets: Any, rate: float) -> Any:
        """One step of Adam towards these chances; the mean cross entropy. A row of zeros teaches nothing."""
        xp = self.xp
        a, a0, b, b0, c, c0 = self.parts(self.flat)
        x = self.unpack(words, np.float32)
        y = positive(xp, x @ a, a0)
        z = positive(xp, y @ b, b0)
        chances = softmax(xp, z @ c + c0)
        taught = targets.sum(1, keepdims=True)
        loss = -(targets * xp.log(chances + 1e-9)).sum() / len(words)
        out = (chances * taught - targets) / len(words)
        back = (out @ c.T) * (z > 0)
        further = (back @ b.T) * (y > 0)
        slopes = x.T @ further, further.sum(0), y.T @ back, back.sum(0), z.T @ out, out.sum(0)
        self.adam(xp.concatenate([slope.ravel() for slope in slopes]), rate)
        return loss

    def adam(self, slope: Any, rate: float) -> None:
        """Change the weights."""
        xp = self.xp
        self.steps += 1
        self.mean += (1 - KEEP) * (slope - self.mean)
        self.square += (1 - KEEP_SQUARE) * (slope * slope - self.square)
        rate *= (1 - KEEP_SQUARE**self.steps) ** 0.5 / (1 - KEEP**self.steps)
        self.flat -= rate * self.mean / (xp.sqrt(self.square) + TINY)
        self.small = None

    def load(self, flat: Any) -> None:
        """Take weights over."""
        self.flat[:] = self.xp.asarray(flat)
        self.small = None


def positive(xp: Any, sums: Any, bias: Any) -> Any:
    """What is positive of sums with their bias, in place."""
    if xp is not np:
        return positive_on_device()(sums, bias, sums)
    sums += bias
    return np.maximum(sums, 0, out=sums)


def softmax(xp: Any, logits: Any) -> Any:
    """Chances from logits."""
    logits -= logits.max(1, keepdims=True)
    xp.exp(logits, out=logits)
    logits /= logits.sum(1, keepdims=True)
    return logits


def kernel(inputs: str, outputs: str, what: str, name: str) -> Any:
    """A kernel of CuPy for each element."""
    import cupy

    return cupy.ElementwiseKernel(inputs, outputs, what, name)


def unpack_on_device() -> Any:
    """Bits as numbers."""
    return cached("raw uint64 words", "T x", "x = (words[i >> 6] >> (i & 63)) & 1", "unpack")


def positive_on_device() -> Any:
    """What is positive of a sum."""
    return cached("T sum, T bias", "T out", "T y = sum + bias; out = y > (T)0 ? y : (T)0", "positive")


def cached(inputs: str, outputs: str, what: str, name: str) -> Any:
    """A kernel made once."""
    if name not in MADE:
        MADE[name] = kernel(inputs, outputs, what, name)
    return MADE[name]


MADE: dict[str, Any] = {}
