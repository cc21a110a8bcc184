"""``skilltune mine`` as a person runs it."""

import json

import pytest


def _events(machine) -> list[dict[str, object]]:
    log = machine.home / ".skilltune" / "feedback.jsonl"
    return [json.loads(line) for line in log.read_text(encoding="utf-8").splitlines()]


@pytest.fixture
def shop(machine, talk):
    """A machine with three sessions that give events and one that does not."""
    machine.session("s1", talk("s1", "No, that is wrong, the standard library comes first."))
    machine.session("s2", talk("s2", "looks good, thanks!"))
    machine.session("s3", talk("s3", "Please undo that.", skill="release-notes"))
    machine.session("s4", talk("s4"))
    return machine


def test_mine_writes_the_log_of_the_workspace(shop):
    """Each judged use is one line with the documented fields first; a use nobody judged is in uses.jsonl."""
    printed = shop.run("mine").stdout
    events = _events(shop)
    assert sorted(event["correction_type"] or event["outcome"] for event in events) == [
        "acceptance",
        "rejection",
        "revert",
    ]
    assert list(events[0])[:6] == ["event_id", "timestamp", "session_id", "skill_id", "invocation_uuid", "outcome"]
    uses = (shop.home / ".skilltune" / "uses.jsonl").read_text(encoding="utf-8").splitlines()
    assert [json.loads(line)["session_id"] for line in uses] == ["s4"]
    assert "3 new, 0 updated, 0 unchanged" in printed
    assert "tidy-imports: 3 uses" in printed
    assert str(shop.home / ".skilltune" / "feedback.jsonl") in printed


def test_mine_twice_adds_nothing(shop):
    """A second run leaves the log as it is."""
    shop.run("mine")
    before = (shop.home / ".skilltune" / "feedback.jsonl").read_bytes()
    assert "0 new, 0 updated, 3 unchanged" in shop.run("mine").stdout
    assert (shop.home / ".skilltune" / "feedback.jsonl").read_bytes() == before


def test_mine_overwrite_keeps_events_whose_transcript_is_gone(shop):
    """A rebuild finds what is there and keeps what only the log remembers."""
    shop.run("mine")
    (shop.projects / "-home-me-shop" / "s1.jsonl").unlink()
    assert "1 kept" in shop.run("mine", "--overwrite").stdout
    assert {event["session_id"] for event in _events(shop)} == {"s1", "s2", "s3"}


def test_mine_resumed_copy_counts_once(machine, talk):
    """A session and its resumed copy with the same records and one more use give two lines."""
    first = talk("s1", "No, that is wrong.")
    second = [record | {"sessionId": "s2"} for record in first]
    more = [record | {"timestamp": "2026-11-21T10:00:00.000Z"} for record in talk("s2", "Please undo that.")]
    machine.session("s1", first)
    machine.session("s2", second + more)
    for options in ([], ["--overwrite"]):
        machine.run("mine", *options)
        events = _events(machine)
        assert len(events) == 2
        assert {event["session_id"] for event in events} == {"s1", "s2"}


def test_mine_skill_filter_changes_no_verdict(shop):
    """A filter selects lines; the verdicts are those of the whole run."""
    shop.run("mine")
    whole = {event["event_id"]: event for event in _events(shop)}
    shop.run("mine", "--skill-filter", "release-notes", "--output", shop.cwd / "one.jsonl")
    lines = (shop.cwd / "one.jsonl").read_text(encoding="utf-8").splitlines()
    assert [json.loads(line) for line in lines] == [
        event for event in whole.values() if event["skill_id"] == "release-notes"
    ]


def test_mine_skill_filter_counts_that_skill_alone(shop):
    """What is printed is what was stored."""
    printed = shop.run("mine", "--skill-filter", "release-notes").stdout
    assert "Outcomes of release-notes: 1 correction, 0 partials, 0 acceptances." in printed
    assert "tidy-imports" not in printed


def test_mine_without_snippets_stores_no_words(shop):
    """``--no-snippets`` writes no text of the person's anywhere."""
    shop.run("mine", "--no-snippets")
    for path in (shop.home / ".skilltune").iterdir():
        assert b"standard library comes first" not in path.read_bytes()


def test_mine_says_that_older_texts_are_still_there(shop):
    """Switching snippets off does not remove what was stored before: it is said, with the command that does."""
    shop.run("mine")
    (shop.home / ".skilltune" / "config.toml").write_text("[privacy]\nsnippets = false\n", encoding="utf-8")
    assert "3 older texts are still stored" in shop.run("mine").stderr
    shop.run("feedback", "scrub", "--yes")
    assert "older texts" not in shop.run("mine").stderr


def test_mine_masks_secrets(machine, talk):
    """A key that somebody pasted is not stored."""
    key = "sk-" + "ant-api03-" + "Zq8vT1" * 8
    machine.session("s1", talk("s1", f"No, that is wrong, the key is {key} and not the old one"))
    machine.run("mine")
    [event] = _events(machine)
    assert "[secret]" in event["user_message_snippet"]
    assert key[12:30] not in json.dumps(event)


def test_mine_masks_a_secret_that_the_cut_would_split(machine, talk):
    """A key that begins before the 200th character and ends after it leaves no part behind."""
    key = "ghp_" + "a8Kd03LmQ2" * 4
    machine.session(
        "s1", talk("s1", "No, that is wrong. " + "It is not what we agreed on. " * 5 + f"The token is {key} by now")
    )
    machine.run("mine")
    [event] = _events(machine)
    assert len(event["user_message_snippet"]) <= 200
    assert "The token" in event["user_message_snippet"]
    assert key[:8] not in event["user_message_snippet"]


def test_mine_overwrite_keeps_what_only_scripted_runs_find(machine, talk):
    """Events of scripted sessions were taken in once; a rebuild that leaves such sessions out keeps them."""
    machine.session("s1", [record | {"entrypoint": "sdk-cli"} for record in talk("s1", "No, that is wrong.")])
    machine.run("mine")
    assert not (machine.home / ".skilltune" / "feedback.jsonl").exists()
    machine.run("mine", "--scripted")
    assert len(_events(machine)) == 1
    assert "1 kept" in machine.run("mine", "--overwrite").stdout
    assert len(_events(machine)) == 1


def test_mine_switched_off_collects_nothing(shop):
    """The person's switch stops it, with exit code 3 and the file named."""
    switch = shop.home / ".claude" / "feedback-config.json"
    switch.write_text('{"enabled": false}', encoding="utf-8")
    assert str(switch) in shop.run("mine", code=3).stderr
    assert not (shop.home / ".skilltune").exists()


def test_mine_missing_folder_is_named(machine):
    """A folder that is not there ends with exit code 4 and its name."""
    assert "nowhere" in machine.run("mine", "--session-dir", machine.cwd / "nowhere", code=4).stderr


def test_mine_records_add_up(shop):
    """The table of records adds up to the number of records in the files."""
    summary = json.loads(shop.run("mine", "--json").stdout)
    lines = sum(len(path.read_text(encoding="utf-8").splitlines()) for path in shop.projects.rglob("*.jsonl"))
    assert sum(summary["records"].values()) == lines
    assert summary["uses"] == 4


def test_mine_explain_says_why_a_use_has_no_verdict(shop):
    """``--explain`` names the reason and the place of each use."""
    printed = shop.run("mine", "--explain").stdout
    assert "s4.jsonl:2  tidy-imports  no verdict: no_turn" in printed


def test_mine_damaged_lines_are_counted_by_file(shop):
    """Damaged lines are skipped, counted by reason and file; the rest of the file counts."""
    path = shop.projects / "-home-me-shop" / "s1.jsonl"
    path.write_bytes(b"[1,2]\n{oops\n" + path.read_bytes())
    summary = json.loads(shop.run("mine", "--json").stdout)
    assert summary["damaged"] == {str(path): {"not_object": 1, "not_json": 1}}
    assert summary["events"]["new"] == 3


def test_mine_strict_names_path_and_line(shop):
    """``--strict`` stops at the first damaged line."""
    path = shop.projects / "-home-me-shop" / "s1.jsonl"
    path.write_bytes(path.read_bytes() + b"{oops\n")
    line = len(path.read_bytes().splitlines())
    assert f"{path}:{line}:" in shop.run("mine", "--strict", code=4).stderr


def test_mine_plain_locale(shop):
    """It works in a C locale, and shows what the terminal can show."""
    assert "3 new" in shop.run("mine", LC_ALL="C", PYTHONUTF8="0").stdout


def test_mine_config_that_is_wrong_is_named(shop):
    """An unknown key in config.toml is named, with the file."""
    folder = shop.home / ".skilltune"
    folder.mkdir()
    (folder / "config.toml").write_text("[mining]\nwindow_turn = 2\n", encoding="utf-8")
    message = shop.run("mine", code=2).stderr
    assert "config.toml" in message
    assert "window_turns" in message


def test_mine_window_turns_of_the_config_counts(machine, talk):
    """``[mining] window_turns`` flips the result: the second turn no longer judges."""
    machine.session("s1", talk("s1", "What does that do?", "No, that is wrong."))
    machine.run("mine", "--output", machine.cwd / "three.jsonl")
    assert len((machine.cwd / "three.jsonl").read_text(encoding="utf-8").splitlines()) == 1
    folder = machine.home / ".skilltune"
    folder.mkdir(exist_ok=True)
    (folder / "config.toml").write_text("[mining]\nwindow_turns = 1\n", encoding="utf-8")
    machine.run("mine", "--output", machine.cwd / "one.jsonl")
    assert not (machine.cwd / "one.jsonl").exists()


def test_mine_less_of_a_session_takes_no_verdict_back(machine, talk):
    """A transcript that lost its tail, or of which only a fork with the first records is left, changes nothing."""
    records = talk("s1", "No, that is wrong.")
    path = machine.session("s1", records)
    machine.run("mine")
    before = _events(machine)
    machine.session("s1", records[:4])
    assert "1 kept as they were" in machine.run("mine").stdout
    path.unlink()
    fork = [record | {"timestamp": "2026-11-25T10:00:00.000Z"} for record in talk("s2", skill="other-skill")]
    machine.session("s2", records[:4] + fork[:1])
    for options in ([], ["--overwrite"]):
        machine.run("mine", *options)
        assert [event["outcome"] for event in _events(machine)] == [event["outcome"] for event in before]


def test_mine_of_a_session_that_goes_on_takes_the_last_turn_as_provisional(machine, talk):
    """A half written line waits; what a session adds later replaces the verdict, and the use has one (K37)."""
    path = machine.session("s1", talk("s1", "No, that is wrong.", "Please undo that."))
    *lines, last = path.read_bytes().splitlines()
    path.write_bytes(b"\n".join(lines[:-1]) + b"\n" + lines[-1][:40])
    assert "unfinished" in machine.run("mine").stdout
    first = _events(machine)
    path.write_bytes(b"\n".join([*lines, last]))
    assert "1 updated" in machine.run("mine").stdout
    (old, new) = _events(machine)
    assert first == [old]
    assert (new["event_id"], new["correction_type"], bool(new["supersedes"])) == (old["event_id"], "revert", True)


def test_mine_overwrite_keeps_a_use_of_which_no_record_is_left(machine, talk):
    """A fork that holds only the first use of a session says nothing of the second."""
    first, second = talk("s1", "No, that is wrong."), talk("s1b", "Please undo that.", skill="other-skill")
    second = [record | {"sessionId": "s1", "timestamp": "2026-11-21T10:00:00.000Z"} for record in second]
    machine.session("s1", first + second)
    machine.run("mine")
    assert {event["skill_id"] for event in _events(machine)} == {"tidy-imports", "other-skill"}
    (machine.projects / "-home-me-shop" / "s1.jsonl").unlink()
    machine.session("s9", first)
    machine.run("mine", "--overwrite")
    assert {event["skill_id"] for event in _events(machine)} == {"tidy-imports", "other-skill"}


def test_mine_person_who_goes_on_with_a_scripted_session_is_heard(machine, talk):
    """The use stands in a scripted session; the complaint in the copy that a person resumed."""
    records = talk("s1", "No, that is wrong.")
    machine.session("s1", [record | {"entrypoint": "sdk-cli"} for record in records[:4]])
    machine.session("s2", [record | {"sessionId": "s2"} for record in records])
    machine.run("mine")
    assert [event["outcome"] for event in _events(machine)] == ["correction"]


def test_mine_files_of_one_name_without_ids_are_two_sessions(machine, talk):
    """Records without uuid, session id and call id in two files called alike are two uses."""
    for folder, day in (("-home-me-one", "2026-11-20"), ("-home-me-two", "2026-11-21")):
        records = talk("s1", "No, that is wrong.", day=day)
        for record in records:
            for key in ("uuid", "parentUuid", "sessionId"):
                record.pop(key)
            for block in record["message"]["content"] if isinstance(record["message"]["content"], list) else ():
                block.pop("id", None)
                block.pop("tool_use_id", None)
        machine.session("session", records, folder=folder)
    machine.run("mine")
    assert len(_events(machine)) == 2


@pytest.mark.parametrize("name", ["s1.jsonl", "uses.jsonl", "feedback.lock"])
def test_mine_output_that_is_no_log_is_refused(shop, name):
    """A transcript, or a file that belongs to a log, is not written into."""
    target = shop.projects / "-home-me-shop" / name
    before = target.read_bytes() if target.exists() else None
    assert name in shop.run("mine", "--output", target, code=2).stderr
    assert (target.read_bytes() if target.exists() else None) == before


def test_mine_sub_agents_record_at_the_top_hides_no_session(machine, talk):
    """Two records of a sub-agent before a session of a person's: the person is heard."""
    warm = [record | {"isSidechain": True, "uuid": f"w{n}"} for n, record in enumerate(talk("s1")[:2])]
    machine.session("s1", warm + talk("s1", "No, that is wrong."))
    machine.run("mine")
    assert [event["outcome"] for event in _events(machine)] == ["correction"]


def test_mine_without_a_home_says_what_to_do(machine):
    """No HOME and no user entry: one clear line."""
    done = machine.run("mine", code=2, HOME="", CLAUDE_CONFIG_DIR="~nobody-of-this-name/x")
    assert "CLAUDE_CONFIG_DIR" in done.stderr


def test_mine_version_from_git_where_the_transcript_has_no_text(machine, talk):
    """A use without an injected body gets the digest of the text its file had then; without git nothing is lost."""
    import subprocess

    folder = machine.home / ".claude" / "skills" / "tidy-imports"
    folder.mkdir(parents=True)
    (folder / "SKILL.md").write_text("---\nname: tidy-imports\n---\nSort.\n", encoding="utf-8")
    who = ["-c", "user.name=x", "-c", "user.email=x@example.org"]
    stamp = {"GIT_COMMITTER_DATE": "2026-10-01T12:00:00+00:00", "GIT_AUTHOR_DATE": "2026-10-01T12:00:00+00:00"}
    for command in (["init", "-q"], ["add", "."], [*who, "commit", "-qm", "one"]):
        subprocess.run(["git", "-C", str(folder), *command], check=True, env=machine.environment(**stamp))
    machine.session("s1", talk("s1", "No, that is wrong."))
    machine.run("mine")
    [event] = _events(machine)
    assert len(event["skill_digest"]) == 12
    (folder / "SKILL.md").unlink()
    assert "0 updated, 1 unchanged" in machine.run("mine").stdout
    assert _events(machine) == [event]


def _temporary(machine, talk, *names: str) -> None:
    for name in names:
        records = [record | {"cwd": "/tmp/tryout"} for record in talk(name, "thanks!")]  # noqa: S108  # as recorded
        machine.session(name, records)


def test_nothing_found_writes_nothing_and_says_why(machine, talk):
    """Where every session is left out, ``mine`` says so and leads to ``sources``, which says the same."""
    _temporary(machine, talk, "s1", "s2")
    printed = machine.run("mine").stdout
    assert "Left out: 2 sessions in a temporary folder: nobody's work." in printed
    assert "Nothing written" in printed
    assert "skilltune sources" in printed
    assert "Written to" not in printed
    assert not (machine.home / ".skilltune" / "feedback.jsonl").exists()
    assert json.loads(machine.run("mine", "--json").stdout)["written"] is False
    for command in ("metrics", "trend", "events"):
        assert "skilltune sources" in machine.run(command, code=4).stderr
    told = " ".join(machine.run("sources").stdout.split())
    assert "left out by mine: 2 sessions in a temporary folder: nobody's work (with 2 signs of skill use)" in told


def test_no_sessions_at_all_asks_for_their_folder(machine):
    """In an empty home the next step is to name a folder."""
    printed = machine.run("mine").stdout
    assert "Nothing written" in printed
    assert "skilltune mine --session-dir FOLDER" in printed


def test_left_out_reasons_are_words(machine, talk):
    """One temporary session beside one that counts: its line says what it is; no bare reason is printed."""
    _temporary(machine, talk, "s1")
    machine.session("s2", talk("s2", "thanks!"))
    printed = machine.run("mine").stdout
    assert "1  session in a temporary folder: nobody's work" in printed
    assert "session_temporary" not in printed
    assert "Written to" in printed


def test_sources_looks_where_mine_looks(machine, talk):
    """Folders and scripted sessions of the config count for both."""
    home = machine.session("s1", talk("s1", "thanks!")).parent
    elsewhere = machine.cwd / "kept"
    home.rename(elsewhere)
    (machine.home / ".skilltune").mkdir()
    (machine.home / ".skilltune" / "config.toml").write_text(
        f"[mining]\nfolders = [{json.dumps(str(elsewhere))}]\n", encoding="utf-8"
    )
    [place] = json.loads(machine.run("sources", "--json").stdout)
    assert (place["path"], place["uses"]) == (str(elsewhere), 1)
