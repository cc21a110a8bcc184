"""Which workspace is used, where its files are, and what git may see of it."""

import subprocess
from pathlib import Path

import pytest

from skilltune.errors import ConfigError, InputError, LogError
from skilltune.stores.workspace import find_workspace


@pytest.fixture
def home(tmp_path, monkeypatch):
    """A home of its own, empty."""
    folder = tmp_path / "home"
    folder.mkdir()
    monkeypatch.setenv("HOME", str(folder))
    monkeypatch.setenv("USERPROFILE", str(folder))
    return folder


@pytest.fixture
def project(home):
    """A folder three levels below the home."""
    folder = home / "code" / "shop" / "src"
    folder.mkdir(parents=True)
    return folder


def test_workspace_of_the_user_by_default(home, project):
    """Where nothing is named and nothing lies above, the user's own is used; nothing is made."""
    workspace = find_workspace(project)
    assert workspace.folder == home / ".skilltune"
    assert workspace.feedback_path == home / ".skilltune" / "feedback.jsonl"
    assert list(home.iterdir()) == [home / "code"]


def test_workspace_nearest_upwards(home, project):
    """The nearest .skilltune folder from the current folder upwards wins; a file of that name does not."""
    (home / ".skilltune").mkdir()
    (home / "code" / ".skilltune").mkdir()
    (home / "code" / "shop" / ".skilltune").write_text("a file")
    assert find_workspace(project).folder == home / "code" / ".skilltune"


def test_workspace_named(home, project):
    """A named workspace is used though another is nearer; it is relative to the current folder and need not exist."""
    (project / ".skilltune").mkdir()
    assert find_workspace(project, explicit="../own").folder == home / "code" / "shop" / "own"
    assert find_workspace(project, explicit="~/own").folder == home / "own"
    assert find_workspace(project, explicit=home / "own").folder == home / "own"


def test_workspace_named_is_a_file(project):
    """A file cannot be a workspace."""
    (project / "x").write_text("")
    with pytest.raises(InputError, match=r"--workspace x is a file; name a folder"):
        find_workspace(project, explicit="x")


def test_workspace_default_is_the_current_folder(project, monkeypatch):
    """Without an argument the search starts in the current folder."""
    (project / ".skilltune").mkdir()
    monkeypatch.chdir(project)
    assert find_workspace().folder == project / ".skilltune"


def test_feedback_store_of_other_tools(home, project):
    """A folder feedback-store in the current folder keeps the log, unless a workspace is named."""
    (project / "feedback-store").mkdir()
    workspace = find_workspace(project)
    assert workspace.feedback_path == project / "feedback-store" / "feedback.jsonl"
    assert workspace.folder == home / ".skilltune"
    assert find_workspace(project, explicit="own").feedback_path == project / "own" / "feedback.jsonl"
    assert find_workspace(project.parent).feedback_path == home / ".skilltune" / "feedback.jsonl"


def test_reports_path(home, project):
    """Reports go below the current folder, or where the settings say."""
    workspace = find_workspace(project, explicit="own").create()
    assert workspace.reports_path == project / "reports"
    workspace.config_path.write_text('[report]\noutput = "~/out"\n')
    assert workspace.reports_path == home / "out"
    workspace.config_path.write_text('[report]\noutput = "a/b"\n')
    assert workspace.reports_path == project / "a" / "b"


def test_config_of_workspace(project):
    """The settings are those of the workspace's config.toml; a mistake names the file."""
    workspace = find_workspace(project, explicit="own").create()
    assert workspace.config.mining.window_turns == 3
    workspace.config_path.write_text("[mining]\nwindow_turns = 5\n")
    assert workspace.config.mining.window_turns == 5
    workspace.config_path.write_text("[mining]\nwindow_turns = 0\n")
    with pytest.raises(ConfigError, match=r"own/config\.toml"):
        _ = workspace.config


def _ignored(repository: Path, name: str) -> bool:
    done = subprocess.run(["git", "check-ignore", "-q", name], cwd=repository, check=False)
    return done.returncode == 0


def test_create_hides_all_but_config_and_instincts_from_git(project):
    """Git sees the settings and the instincts of a workspace, and nothing else of it."""
    subprocess.run(["git", "init", "-q"], cwd=project, check=True)
    folder = find_workspace(project, explicit=".skilltune").create().folder
    hidden = [
        "feedback.jsonl",
        "uses.jsonl",
        "archive/feedback-20260101.jsonl",
        "cache/x",
        "labels.jsonl",
        "feedback.lock",
    ]
    shown = ["config.toml", "instincts/a.md", "instincts/team/b.md", ".gitignore"]
    for name in hidden + shown:
        (folder / name).parent.mkdir(exist_ok=True, parents=True)
        (folder / name).touch()
    assert [name for name in hidden if not _ignored(project, f".skilltune/{name}")] == []
    assert [name for name in shown if _ignored(project, f".skilltune/{name}")] == []


def test_create_keeps_gitignore_of_the_person(project):
    """A .gitignore that is there stays as it is."""
    workspace = find_workspace(project, explicit="own")
    workspace.create()
    (workspace.folder / ".gitignore").write_text("mine\n")
    assert workspace.create() == workspace
    assert (workspace.folder / ".gitignore").read_text() == "mine\n"


def test_create_below_a_file(project):
    """A workspace that cannot be made: the error names the folder and what to do."""
    (project / "x").write_text("")
    with pytest.raises(LogError, match=r"x/ws cannot be made .*--workspace"):
        find_workspace(project, explicit="x/ws").create()


@pytest.mark.parametrize("own", ["", "feedback.jsonl", "ledger.jsonl", "config.toml"])
def test_workspace_named_by_the_folder_that_holds_it(project, own):
    """A project's folder stands for the .skilltune in it, unless it is a workspace itself."""
    (project / "w" / ".skilltune").mkdir(parents=True)
    if own:
        (project / "w" / own).write_text("")
    wanted = project / "w" if own else project / "w" / ".skilltune"
    assert find_workspace(project, explicit="w").folder == wanted
    assert find_workspace(project, explicit="w/.skilltune").folder == project / "w" / ".skilltune"
