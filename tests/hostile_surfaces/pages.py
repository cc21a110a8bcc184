"""What a page may not hold, whatever the texts in it say."""

from html.parser import HTMLParser

__all__ = ["faults_of"]

FORBIDDEN = frozenset({"script", "iframe", "object", "embed", "form", "base", "frame", "applet", "input", "link"})
LINKS = frozenset({"href", "src", "srcset", "action", "formaction", "xlink:href", "data", "poster", "background"})


class _Watcher(HTMLParser):
    """Collects what would run, load or lead away."""

    def __init__(self) -> None:
        super().__init__(convert_charrefs=True)
        self.faults: list[str] = []
        self.text: list[str] = []

    def handle_starttag(self, tag, attrs):
        """Tags and their attributes."""
        if tag in FORBIDDEN:
            self.faults.append(f"<{tag} {attrs}>")
        for name, value in attrs:
            plain = "".join((value or "").split()).lower()
            leads_away = name in LINKS and not (
                plain.startswith(("#", "data:image/png", "data:image/svg")) or _is_near(plain)
            )
            if name.startswith("on") or leads_away or "javascript:" in plain or (name == "style" and "url(" in plain):
                self.faults.append(f"<{tag} {name}={value!r}>")
            if tag == "meta" and name == "http-equiv" and plain == "refresh":
                self.faults.append("<meta refresh>")

    def handle_data(self, data):
        """Words that a reader sees."""
        self.text.append(data)


def _is_near(target: str) -> bool:
    """Whether a link leads to a page beside this one."""
    head = target.split("/", 1)[0]
    return ":" not in head and not target.startswith(("/", "\\"))


def faults_of(html: str) -> tuple[list[str], str]:
    """What is wrong with a page, and the words that it shows."""
    watcher = _Watcher()
    watcher.feed(html)
    watcher.close()
    return watcher.faults, " ".join(watcher.text)
