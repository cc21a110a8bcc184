"""One session, as a list of items and of what happened after each."""

from collections import Counter

from skilltune.facts import SessionFacts, Tokens, TurnFact, Work


class Stretch:
    """Work between two items, as a list of what happened."""

    def __init__(self):
        self.happened = []

    def work(self):
        """The work fact."""
        tools, edited, touched, commands, last, errors, ended = {}, {}, {}, [], {}, 0, False
        tokens, aside = [0, 0, 0, 0], [0, 0, 0, 0]
        for what, value in self.happened:
            if what == "tool":
                tools[value] = 1
            elif what == "edited" and (len(edited) < 200):
                edited[value] = 1
            elif what == "touched" and len(touched) < 50:
                touched[value] = 1
            elif what == "command" and len(commands) < 200:
                commands.append(value)
            elif what == "result":
                errors, ended = errors + value, value
            elif what in ("said", "attributed", "model", "wrote"):
                last[what] = value
            elif what == "usage":
                tokens = [total + number for total, number in zip(tokens, value, strict=True)]
            elif what == "aside":
                aside = [total + number for total, number in zip(aside, value, strict=True)]
        return Work(
            tuple(tools),
            tuple(edited),
            tuple(touched),
            tuple(command["text"][:2000] for command in commands if command["ran"]),
            errors,
            bool(ended),
            last.get("said", ""),
            last.get("attributed", ""),
            last.get("model", ""),
            Tokens(*(min(number, 10**12) for number in tokens)),
            last.get("wrote"),
            Tokens(*(min(number, 10**12) for number in aside)),
        )


class Session:
    """One session."""

    def __init__(self, name):
        self.name, self.items, self.stretches = name, [], [Stretch()]
        self.about, self.moments, self.counts, self.spoken = {}, [], Counter(), False
        self.calls, self.uses, self.bodies, self.awaiting = {}, {}, {}, None
        self.commands, self.tags = {}, []
        self.parents, self.queue, self.interrupted, self.usage = set(), [], False, {}
        self.listed = []

    @property
    def now(self):
        """What happens now."""
        return self.stretches[-1].happened

    def add(self, kind, **fields):
        """A new item."""
        item = {"kind": kind, **fields}
        self.items.append(item)
        self.stretches.append(Stretch())
        return item

    def turn(self, **fields):
        """A new turn; it takes the interrupt before it."""
        item = self.add(TurnFact, **fields, interrupted=self.interrupted)
        self.interrupted = False
        return item

    def drop(self, item):
        """Take an item out, its work goes to the one before."""
        at = next(i for i, other in enumerate(self.items) if other is item)
        del self.items[at]
        self.stretches[at].happened += self.stretches.pop(at + 1).happened

    def facts(self, path, pending):
        """The session fact."""
        made = []
        for item, stretch in zip(self.items, self.stretches[1:], strict=True):
            kind = item.pop("kind")
            made.append(kind(**item, work=stretch.work()))
        return SessionFacts(
            self.name,
            path,
            "claude-code",
            self.about.get("version", ""),
            self.about.get("entrypoint", ""),
            self.about.get("cwd", ""),
            max(self.moments, default=None),
            sum(self.counts.values()),
            pending,
            self.stretches[0].work(),
            tuple(made),
            self.first,
            self.available(),
        )

    @property
    def first(self):
        """The first moment."""
        return self.moments[0] if self.moments else None

    def available(self):
        """How many skills were listed."""
        if not self.listed:
            return None
        names = {name for listed in self.listed for name in listed["names"]}
        return max([len(names), *(listed["count"] for listed in self.listed)])
