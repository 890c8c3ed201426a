#!/usr/bin/env python3
# -*- coding: utf-8 -*-
"""A module docstring: it's "fine" # not a comment."""
from __future__ import annotations

import os, sys as system
from dataclasses import dataclass, field
from typing import Any, Optional

# a comment with "quotes" and it's '''triple''' too
NAMES = {'a': 1, "b": 2.5e-3, 'c': 0x_ff, 'd': 0b1010, 'e': 0o17, 'f': 1_000, 'g': 3.14j}
RAW = r"C:\temp\new" + r'\d+"\''
BYTES = b"\x00\xff" + rb'\d' + br"x"


@dataclass(frozen=True)
class Point(Base):
    """A point.

    It's "quoted" and # has a hash.
    """

    x: int = 0
    y: Optional[float] = None
    tags: list[str] = field(default_factory=list)

    def __init__(self, x: int, *args: Any, **kwargs) -> None:
        super().__init__()
        self.x = x
        self.type = type(x)
        self._name = f"point {x!r} at {self.y:>10.2f} of {{braces}}"

    @property
    def name(self) -> str:
        return f"{self._name} {'nested' + str(1)} # not a comment"

    @staticmethod
    async def load(path: str) -> "Point":
        async with open(path, "rb") as f:
            data = await f.read()
        return Point(*data)


def parse(text: str = '''multi
line "string" # no comment''', *, strict=True):
    for i, ch in enumerate(text):
        if ch in ('"', "'", '\\', '#') and not strict:
            continue
        elif ch == "\"":  # a comment after a quote "
            yield i
        else:
            break
    while True:
        try:
            value = int(text) // 2 ** 3 @ matrix
        except (ValueError, TypeError) as e:
            raise RuntimeError(f"bad value: {value}") from e
        finally:
            print("done", file=sys.stderr)
    return lambda a, b=None: a if a is not b else None


match_result = re.match(r'^(\w+)\s*=\s*"([^"]*)"$', line)
print(match_result.group(1), len(NAMES), sorted(NAMES, key=lambda k: NAMES[k]))
total = sum(x * 2 for x in range(10) if x % 3 == 0)
del NAMES['a'], NAMES["b"]
global_name = 1 if total > 1e10 else .5
assert isinstance(total, int), 'not an int: %s' % total
text = ("joined "
        'strings')
sql = """
SELECT * FROM t WHERE a = 'x' -- "quoted"
"""
with open("x") as a, open('y') as b:
    pass
if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
é = "ünïcode → ok"
class Registry(Generic[K, V], metaclass=ABCMeta):
    r"""Raw docs: \d+ and "quotes" # no comment."""

    _lock: ClassVar[threading.Lock] = threading.Lock()
    __slots__ = ("items", 'order')

    @functools.lru_cache(maxsize=None)
    def find(self, key: K, /, default: V | None = None, *, deep: bool = False) -> V | None:
        """Find one.

        >>> Registry().find('a')  # None
        """
        if (found := self.items.get(key)) is not None and not deep:
            return found
        table = {k: [v for v in vs if v] for k, vs in self.items.items()}
        return default if default is not None else table.get(key, [None])[0]

    def __repr__(self) -> str:
        return f"<{type(self).__name__} {len(self.items)} items: {', '.join(f'{k}={v!r}' for k, v in self.items.items())}>"

    async def drain(self):
        async for key, value in self.stream():
            match value:
                case {"kind": "end", **rest} if not rest:
                    return
                case [first, *_] | (first, _):
                    yield key, first
                case str() as text:
                    yield key, text.removesuffix('\n')
        nonlocal_count = sum(1 for _ in self.order) // 2 or -1


async def main(argv: Sequence[str] = ()) -> int:
    parser = argparse.ArgumentParser(description=__doc__, epilog="it's \"all\"")
    parser.add_argument("--limit", "-n", type=int, default=0x10, help='at most # entries')
    args = parser.parse_args(argv)
    query = rf"""^{re.escape(args.name)}\s+"([^"]*)"$"""
    text = b"raw \x00 bytes".decode("utf-8", errors='replace')
    print(f'{args.limit:>{width}} of {total}', end="", file=sys.stderr)
    with contextlib.suppress(OSError, KeyError):
        os.makedirs(os.path.join("out", *args.names), exist_ok=True)
    return 0 if await run(query, text) else 1
print(not_closed, "the end
