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
print(not_closed, "the end
