# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Counts comparisons by group and keeps the first few differences of each group for the report."""

SHOWN = 3


class Tally:
    def __init__(self):
        self.compared = {}
        self.differences = {}
        self.shown = {}

    def same(self, group, where, want, got):
        """Records one comparison; `want` is torchgen's value, `got` opsig's."""
        self.compared[group] = self.compared.get(group, 0) + 1
        if want == got:
            return True
        values = f"      torchgen: {shorten(want)}\n      opsig:    {shorten(got)}"
        self.differ(group, f"{where}\n{values}")
        return False

    def differ(self, group, text):
        """Records a difference; its comparison is counted already or the first of its group."""
        self.compared.setdefault(group, 1)
        self.differences[group] = self.differences.get(group, 0) + 1
        shown = self.shown.setdefault(group, [])
        if len(shown) < SHOWN:
            shown.append(text)

    def explain(self, group, text):
        """Adds to the difference of `group` that was recorded last, if it is one of those shown."""
        if self.differences[group] <= SHOWN:
            self.shown[group][-1] += "\n      " + text.replace("\n", "\n      ")

    def add(self, other):
        for group, count in other.compared.items():
            self.compared[group] = self.compared.get(group, 0) + count
        for group, count in other.differences.items():
            self.differences[group] = self.differences.get(group, 0) + count

    def totals(self):
        return sum(self.compared.values()), sum(self.differences.values())

    def report(self, out):
        for group, count in self.compared.items():
            differences = self.differences.get(group, 0)
            print(f"  {group}: compared {count}, differences {differences}", file=out)
            for text in self.shown.get(group, []):
                print(f"    {text}", file=out)
            if differences > len(self.shown.get(group, [])):
                print(f"    ... and {differences - len(self.shown[group])} more", file=out)


def shorten(value):
    text = value if isinstance(value, str) else repr(value)
    return text if len(text) <= 600 else text[:600] + " ..."
