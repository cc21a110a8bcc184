"""Which file a skill's name means, and whether it may be written."""

import os
import stat

import pytest

from skilltune.errors import InputError, SkillFileError, SkillNotFoundError
from skilltune.stores.skill_files import all_skill_files, check_new_name, locate_skill
from skilltune.stores.skill_writing import check_skill_writable, new_path, read_skill_bytes, write_skill_bytes


@pytest.fixture
def places(tmp_path):
    """A user's and a project's folder with a skill of the same name, and a plugin."""
    home, project = tmp_path / "claude", tmp_path / "shop"
    for folder, text in ((home, "user"), (project / ".claude", "project")):
        (folder / "skills" / "tidy").mkdir(parents=True)
        (folder / "skills" / "tidy" / "SKILL.md").write_text(text)
    plugin = home / "plugins" / "cache" / "market" / "docs" / "1.0" / "skills" / "tidy"
    plugin.mkdir(parents=True)
    (plugin / "SKILL.md").write_text("plugin")
    return {"home": home, "cwd": project}


def test_skill_of_the_user_hides_the_projects(places):
    """Of two files of one name the user's counts, and both say so."""
    files = {(file.skill_id, file.place): file for file in all_skill_files(**places)}
    assert set(files) == {("tidy", "user"), ("tidy", "project"), ("docs:tidy", "plugin")}
    user, project = files["tidy", "user"], files["tidy", "project"]
    assert user.shadows == (project.path,)
    assert project.shadowed_by == user.path
    assert "hides" in user.note
    assert "hidden by" in project.note
    assert locate_skill("tidy", **places) == user
    assert locate_skill("docs:tidy", **places).place == "plugin"


def test_skill_that_the_transcript_names(places):
    """Of two files of one name that in the folder named is meant; a folder without it is refused."""
    project = places["cwd"] / ".claude" / "skills" / "tidy"
    assert locate_skill("tidy", base_directory=str(project), **places).place == "project"
    assert locate_skill("tidy", base_directory=f"{project}/../tidy/", **places).place == "project"
    for folder in ("/gone/skills/tidy", project.parent, places["home"]):
        with pytest.raises(InputError, match="holds no skill 'tidy'"):
            locate_skill("tidy", base_directory=folder, **places)


def _elsewhere(tmp_path, folder, text):
    path = tmp_path / "elsewhere" / folder
    path.mkdir(parents=True)
    (path / "SKILL.md").write_text(text)
    return path


def test_skill_in_any_folder_that_is_named(places, tmp_path):
    """A folder below neither home nor project is taken by its own name or by that in the front matter."""
    called = _elsewhere(tmp_path, "sweep", "Sweep it.\n")
    says = _elsewhere(tmp_path, "checkout-7", "---\nname: dust\n---\nDust it.\n")
    plugin = _elsewhere(tmp_path, "polish", "Polish it.\n")
    found = [
        locate_skill(name, base_directory=folder, **places)
        for name, folder in (("sweep", called), ("dust", says), ("wax:polish", plugin))
    ]
    assert [file.path for file in found] == [folder / "SKILL.md" for folder in (called, says, plugin)]
    assert {file.place for file in found} == {"folder"}
    link = tmp_path / "link"
    link.symlink_to(called)
    assert locate_skill("sweep", base_directory=link, **places).target == called / "SKILL.md"


def test_skill_in_a_folder_of_another_name(places, tmp_path):
    """A folder that is called otherwise, and says nothing or another name, is refused with what there is."""
    other = _elsewhere(tmp_path, "sweep", "---\nname: dust\n---\nDust it.\n")
    with pytest.raises(InputError, match=r"holds no skill 'tidy'.*name: 'dust'.*there is .*tidy"):
        locate_skill("tidy", base_directory=other, **places)
    for folder in (tmp_path / "gone", tmp_path, "~nobody-of-that-name/x", "a\0b"):
        with pytest.raises(InputError):
            locate_skill("mop", base_directory=folder, **places)


def test_skill_that_is_not_installed_but_was_used(places, tmp_path):
    """The message names the folders it was used from, as an option that can be pasted; those that are gone not."""
    folder = _elsewhere(tmp_path, "my sweep", "---\nname: sweep\n---\nSweep it.\n")
    with pytest.raises(SkillNotFoundError, match="no skill 'sweep' is installed") as caught:
        locate_skill("sweep", known_folders=[folder, tmp_path / "gone"], **places)
    assert str(caught.value).endswith(f"it is used from {folder}: add --skill-folder '{folder}'")


@pytest.mark.parametrize(
    "name", ["../tidy", "..", ".", "a/b", "/etc/passwd", "a\\b", "", "a\0b", "x:..", "skills/../../x"]
)
def test_skill_names_that_lead_elsewhere(places, name):
    """A name that would leave the folder of skills is refused."""
    with pytest.raises(InputError):
        locate_skill(name, **places)


@pytest.mark.parametrize("name", ["$(touch x)", "tidi", "Tidy", "\u202eydit", "<script>", "a:b:c"])
def test_skill_names_that_are_not_there(places, name):
    """A name of no skill is told so, with those that are alike."""
    with pytest.raises(SkillNotFoundError, match="docs:tidy"):
        locate_skill(name, **places)


@pytest.mark.parametrize(
    ("name", "fits"), [("lint-on-save", True), ("a" * 64, True), ("a" * 65, False), ("A", False), ("a_b", False)]
)
def test_new_names(name, fits):
    """A new skill's name is 1 to 64 of a–z, 0–9 and -."""
    if fits:
        check_new_name(name)
        return
    with pytest.raises(InputError, match="1 to 64"):
        check_new_name(name)


def test_write_keeps_mode_and_leaves_nothing(tmp_path):
    """The new bytes stand in the old place, with its mode; nothing else is in the folder, and no other file touched."""
    file = tmp_path / "SKILL.md"
    file.write_bytes(b"old")
    file.chmod(0o640)
    (tmp_path / "SKILL.md.tmp").write_bytes(b"somebody's own")
    check_skill_writable(file)
    write_skill_bytes(file, b"new\r\n")
    assert file.read_bytes() == b"new\r\n"
    assert stat.S_IMODE(file.stat().st_mode) == 0o640
    assert sorted(path.name for path in tmp_path.iterdir()) == ["SKILL.md", "SKILL.md.tmp"]


def test_write_is_refused_where_it_is_not_ours(tmp_path):
    """Read-only files and folders, other owners, links and folders in its place are refused by name."""
    file = tmp_path / "skills" / "SKILL.md"
    file.parent.mkdir()
    file.write_bytes(b"old")
    file.chmod(0o444)
    with pytest.raises(SkillFileError, match=r"SKILL\.md is read-only"):
        check_skill_writable(file)
    file.chmod(0o644)
    file.parent.chmod(0o555)
    with pytest.raises(SkillFileError, match="skills is read-only"):
        check_skill_writable(file)
    file.parent.chmod(0o755)
    (file.parent / "link").symlink_to(file)
    for other in (file.parent / "link", file.parent, file.parent / "gone"):
        with pytest.raises(SkillFileError):
            check_skill_writable(other)
    assert file.read_bytes() == b"old"


@pytest.mark.skipif(not hasattr(os, "geteuid") or os.geteuid() != 0, reason="only root can give a file away")
def test_write_is_refused_for_another_owner(tmp_path):
    """A file of somebody else is not replaced, which would make it ours."""
    file = tmp_path / "SKILL.md"
    file.write_bytes(b"old")
    os.chown(file, 12345, -1)
    with pytest.raises(SkillFileError, match="belongs to user 12345"):
        check_skill_writable(file)


def test_read_refuses_what_never_ends(tmp_path):
    """A pipe, a huge file or none at all cannot be read, and nothing waits for it."""
    os.mkfifo(tmp_path / "pipe")
    with (tmp_path / "huge").open("wb") as file:
        file.truncate(10 << 20)
    for name in ("pipe", "huge", "gone"):
        with pytest.raises(SkillFileError, match=name):
            read_skill_bytes(tmp_path / name)


def test_write_that_fails_leaves_the_old_file(tmp_path):
    """Where the new file cannot be made the old one stays."""
    file = tmp_path / "SKILL.md"
    file.write_bytes(b"old")
    new_path(file).mkdir()
    with pytest.raises(SkillFileError, match="unchanged"):
        write_skill_bytes(file, b"new")
    assert file.read_bytes() == b"old"
