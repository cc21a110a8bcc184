"""One use of a skill after another: what is asked, done, said, and the truth about it."""

from typing import Any

from . import channels
from .draws import number, pick
from .people import version_at
from .plan import PlannedSession, PlannedUse
from .skills import SKILLS, Job, texts
from .transcript import Transcript
from .truth import Use

__all__ = ["play"]

_NEUTRAL_BEFORE = (0,) * 15 + (1,) * 4 + (2,)
"""How many questions come before a verdict."""
_COMPLAINTS = {"rejection": "correction", "redo": "correction", "revert": "correction", "partial": "partial"}
_QUIET = {"silent": "no_turn", "question": "question", "neutral": "neutral", "language": "language"}


def play(session: PlannedSession) -> Transcript:
    """The transcript of an ordinary session."""
    version = version_at(session.project, half_week=session.half_week)
    t = Transcript(key=session.key, project=session.project, version=version, start=session.start)
    pending: Use | None = None
    for nth, planned in enumerate(session.uses):
        follower = session.uses[nth + 1] if nth + 1 < len(session.uses) else None
        pending = _play_use(t, planned, pending=pending, follower=follower, last=follower is None)
    return t


def _play_use(
    t: Transcript, planned: PlannedUse, *, pending: Use | None, follower: PlannedUse | None, last: bool
) -> Use | None:
    """Play one use; returns it where the next request is what decides about it."""
    skill = SKILLS[planned.skill_id]
    job = skill.job(key=planned.key, language=planned.language)
    if planned.slash:
        use = t.slash(skill, version=planned.version, args=job.asked)
        t.hazard("slash_message_first", line=use.line)
    else:
        asked = job.fill(skill.task(key=planned.key, language=planned.language))
        t.person(asked, seconds=200)
        if pending is not None:
            _implicit(t, pending)
        use = t.skill_call(skill, version=planned.version, given=_given(planned, job, t))
    _work(t, planned, job)
    _react(t, planned, job, use=use)
    if planned.kind in _QUIET and follower is not None and planned.kind != "language":
        use.reason = "ended" if planned.kind == "silent" else use.reason
    if planned.kind != "implicit":
        return None
    if follower is not None and not follower.slash:
        return use
    t.person(_task(planned), seconds=150)
    _implicit(t, use)
    t.attributed = ""
    _other_work(t, planned, last=last)
    return None


def _given(planned: PlannedUse, job: Job, t: Transcript) -> dict[str, Any]:
    """The Skill tool's input, in one of its variants."""
    style = number(planned.key + " input", below=20)
    if style == 0:
        return {"command": planned.skill_id}
    if style == 1:
        return {"name": planned.skill_id}
    if style == 2:
        return {"skill": "/" + planned.skill_id}
    return {"skill": planned.skill_id} | ({"args": job.asked} if style < 7 else {})


def _work(t: Transcript, planned: PlannedUse, job: Job) -> None:
    """What the skill's run does: read, write, check, report; the first message is split over records."""
    path = t.project.path(job.file)
    message = t.token("split")
    if number(planned.key + " thinks", below=4) == 0:
        t.agent(
            {"type": "thinking", "thinking": "Look at the neighbours first.", "signature": "c2FtcGxl"}, message=message
        )
        t.agent({"type": "text", "text": "I'll look at what is there."}, message=message)
        t.hazard("split_message")
    if number(planned.key + " reads", below=3) == 0:
        read = t.call("Read", {"file_path": path}, message=message)
        t.result(read, "1\t(start)", {"type": "text", "file": {"filePath": path, "numLines": 1}})
    if number(planned.key + " writes", below=2):
        write = t.call("Write", {"file_path": path, "content": f"{job.asked}\n"})
        t.result(write, f"File created successfully at: {path}", {"type": "create", "filePath": path})
    else:
        edit = t.call("Edit", {"file_path": path, "old_string": "(start)", "new_string": job.asked})
        t.result(edit, f"The file {path} has been updated.", {"filePath": path, "userModified": False})
    if number(planned.key + " checks", below=3) == 0:
        command = SKILLS[planned.skill_id].spec["test"]
        check = t.call("Bash", {"command": command})
        t.result(check, "ok", {"stdout": "ok", "stderr": "", "interrupted": False})
    closing = job.fill(pick(SKILLS[planned.skill_id].spec["said"], key=planned.key + " said"))
    t.says(planned.said.get("a") or closing)


def _react(t: Transcript, planned: PlannedUse, job: Job, *, use: Use) -> None:
    """The person's reaction, and the truth about it."""
    if planned.said.get("l", "en") != "en":
        t.hazard(f"language_{planned.said['l']}", line=t.line + 1)
    use.hard = bool(planned.said.get("h"))
    if planned.kind in _QUIET:
        use.reason = _QUIET[planned.kind]
        if planned.kind != "silent":
            t.person(job.fill(planned.said["t"]))
            use.language = planned.said.get("l", "en")
            t.says("Noted.")
        return
    _ask_first(t, planned)
    if planned.kind == "implicit":
        return
    _deliver(t, planned, job)
    if "AKIA" in planned.said["t"]:
        t.hazard("invented_secret_and_mail")
    use.turn = t.window_turns
    use.channel = _CHANNEL.get(planned.form, "message")
    use.language = planned.said.get("l", "en")
    use.interrupted = planned.form == "interrupt"
    if planned.kind == "explicit":
        use.outcome, use.acceptance = "acceptance", "explicit"
        _after_praise(t, planned)
    else:
        use.outcome, use.correction_type = _COMPLAINTS[planned.kind], planned.kind
        use.dimension = planned.said["d"]
        _repair(t, planned, job)


_CHANNEL = {
    "queued": "queued", "enqueue": "queued", "steering": "steering", "denial": "denial", "plan": "plan",
    "edit": "edit", "answer": "answer", "answer_text": "answer",
}  # fmt: skip


def _ask_first(t: Transcript, planned: PlannedUse) -> None:
    """None to two questions that come before the verdict."""
    if planned.form or planned.said.get("a"):
        return
    asked = [reply["t"] for reply in texts("replies")["question"] if reply.get("l", "en") == planned.language]
    for nth in range(pick(_NEUTRAL_BEFORE, key=planned.key + " first")):
        t.person(asked[(number(planned.key, below=99) + nth) % len(asked)])
        t.says("The second paragraph says it." if nth else "I put that at the end of the file.")


def _deliver(t: Transcript, planned: PlannedUse, job: Job) -> None:
    """The deciding message in its form."""
    words = job.fill(planned.said["t"])
    path = t.project.path(job.file)
    plan = f"# {job.asked}\n\n1. Draft\n2. Check\n3. Hand over"
    match planned.form:
        case "queued":
            channels.queues(t, words, both=number(planned.key, below=2) == 0)
        case "enqueue":
            channels.enqueues(t, words)
        case "steering":
            channels.steers(t, words, path=path)
        case "denial":
            channels.denies(t, path=path, words=words)
        case "edit":
            channels.tweaks_edit(t, path=path)
        case "answer" | "answer_text":
            _answer(t, words, in_text=planned.form == "answer_text")
        case "plan":
            channels.decides_on_plan(t, plan=plan, objection=words if planned.kind != "explicit" else "")
        case _:
            _type(t, words, interrupting=planned.form == "interrupt")


def _answer(t: Transcript, words: str, *, in_text: bool) -> None:
    t.window_turns += 1
    reply = channels.answers_in_text if in_text else channels.answers
    reply(t, question="Is this what you had in mind?", options=("Yes, keep it", "Show me more"), reply=words)


def _type(t: Transcript, words: str, *, interrupting: bool) -> None:
    if interrupting:
        t.call("Bash", {"command": "sleep 5"})
        channels.interrupts(t)
        t.hazard("interrupt_new_direction")
    t.person(words)


def _after_praise(t: Transcript, planned: PlannedUse) -> None:
    if number(planned.key + " commits", below=3) == 0:
        call = t.call("Bash", {"command": 'git commit -am "Update"'})
        t.result(call, "1 file changed", {"stdout": "1 file changed", "stderr": "", "interrupted": False})
        t.says("Committed.")


def _repair(t: Transcript, planned: PlannedUse, job: Job) -> None:
    """The agent mends what was said; often the person says that it is settled."""
    path = t.project.path(job.file)
    if planned.form == "command":
        channels.reverts_by_command(t, path=job.file)
        t.says("It is as it was before.")
        return
    if planned.kind == "revert":
        t.says("Taken back.")
        return
    edit = t.call("Edit", {"file_path": path, "old_string": job.asked, "new_string": f"{job.asked} (2)"})
    t.result(edit, f"The file {path} has been updated.", {"filePath": path, "userModified": False})
    t.says("Changed as you said.")
    if number(planned.key + " settled", below=5) < 2:
        settled = [reply["t"] for reply in texts("replies")["settled"] if reply.get("l", "en") == planned.language]
        t.person(pick(settled or ["ok"], key=planned.key))


def _task(planned: PlannedUse) -> str:
    tasks = [reply["t"] for reply in texts("replies")["task"] if reply.get("l", "en") == planned.language]
    return str(pick(tasks, key=planned.key + " next"))


def _implicit(t: Transcript, use: Use) -> None:
    """The person went on to the request just typed without a complaint."""
    use.outcome, use.acceptance, use.turn, use.channel = "acceptance", "implicit", t.window_turns, "message"


def _other_work(t: Transcript, planned: PlannedUse, *, last: bool) -> None:
    """The next request, which has nothing to do with the skill; now and then it gets a verdict of its own."""
    path = t.project.path(f"src/other_{number(planned.key, below=40)}.txt")
    call = t.call("Edit", {"file_path": path, "old_string": "a", "new_string": "b"})
    t.result(call, f"The file {path} has been updated.", {"filePath": path, "userModified": False})
    t.says("That is done as well.")
    remark = number(planned.key + " remark", below=6)
    english = planned.language == "en"
    if last and english and remark == 0:
        t.person("thanks!")
        t.hazard("verdict_on_other_work")
    if last and english and remark == 1:
        t.person("no, that one should stay as it was")
        t.hazard("verdict_on_other_work")
