"""What a person decided in a tool result, by the plainest means."""

import re

KEPT = 16_000
PLAN = ("ExitPlanMode", "exit_plan_mode")
NO = r"The user doesn['\u2019]t want to "
START = r"[ \n\t\r]*"


def text_of(content):
    """The text of a result's content."""
    if isinstance(content, str):
        return content
    if isinstance(content, list):
        if not content or not all(isinstance(part, dict) for part in content) or content[0].get("type") != "text":
            return ""
        texts = [part.get("text") for part in content if part.get("type") == "text"]
        return "\n".join(text for text in texts if isinstance(text, str))
    return ""


def decide(block, record, tool):  # noqa: PLR0911 (one plain rule after another)
    """{channel, text, decision, interrupted} of one tool result."""
    none = {"channel": "", "text": "", "decision": "", "interrupted": False}
    noted = record.get("toolUseResult")
    kind = record.get("toolDenialKind") if isinstance(record.get("toolDenialKind"), str) else None
    if isinstance(noted, dict):
        answers = answers_noted(noted)
        if tool in ("", "AskUserQuestion") and answers:
            return none | {"channel": "answer", "text": answers}
        if noted.get("userModified") is True:
            return none | {"channel": "edit"}
    text = text_of(block.get("content"))
    if kind is not None:
        denied = kind.startswith("user")
    else:
        denied = bool(
            re.match(rf"{START}(Error:\s*)?{NO}(proceed with this tool use|take this action right now)", text)
            or (isinstance(noted, str) and re.match(rf"\s*(Error:\s*)?(User rejected tool use|{NO})", noted))
        )
    interrupted = re.match(rf"{START}\[Request interrupted by user[^\]\n]*\]", text) is not None
    if denied:
        said = re.search(r"(?i)the user said:", text)
        words = text[said.end() :] if said else ""
        words = re.sub(r"(?s)(\n[ \t]*Note:|\sNote: The user).*\Z", "", words).strip()
        if words.startswith("The user wants to clarify these questions"):
            return none | {"channel": "clarify"}
        channel = "plan" if tool in PLAN else "denial"
        return {"channel": channel, "text": words[:KEPT], "decision": "rejected", "interrupted": interrupted}
    if interrupted:
        return none | {"interrupted": True}
    if tool in ("", *PLAN) and re.match(rf"{START}([Tt]he )?[Uu]ser has approved (your|the) plan", text):
        by_agent = isinstance(noted, dict) and noted.get("isAgent") is True
        return none if by_agent else none | {"channel": "plan", "decision": "approved"}
    told = re.match(
        rf"{START}([Uu]ser has answered your questions|[Yy]our questions have been answered|[Tt]he user answered):\s*",
        text,
    )
    if tool in ("", "AskUserQuestion") and told:
        answer = answers_told(text[told.end() :])
        return none | {"channel": "answer", "text": answer} if answer else none
    return none


def answers_noted(noted):
    """The chosen options and the notes, one a line."""
    said = []
    for value in (noted["answers"] if isinstance(noted.get("answers"), dict) else {}).values():
        said += value if isinstance(value, list) else [value]
    for note in (noted["annotations"] if isinstance(noted.get("annotations"), dict) else {}).values():
        said += [note.get("notes")] if isinstance(note, dict) else []
    return "\n".join(text.strip() for text in said if isinstance(text, str) and text.strip())[:KEPT]


def answers_told(text):
    """The answers in the sentence for the agent."""
    pairs = re.findall(r'(?s)"="(.*?)"(?=, "|\.? You can now|[.\s]*\Z| selected| user notes)', text)
    if pairs:
        return "\n".join(pair.strip() for pair in pairs)[:KEPT]
    return re.sub(r"\.?\s*You can now continue with the user's answers in mind\.?\s*\Z", "", text).strip()[:KEPT]
