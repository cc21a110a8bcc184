"""What a tool call is at heart."""

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from skilltune.mining.signatures import likeness, shell_signature, signature
from tests.conftest import SHARED
from tests.hostile import TEXTS

VECTORS = SHARED / "vectors" / "refinement_instincts.json"
CASES = json.loads(VECTORS.read_text(encoding="utf-8")) if VECTORS.exists() else {}


@pytest.mark.parametrize("case", CASES.get("signature_normalisation", []), ids=lambda case: case["raw"])
def test_shared_case_has_its_signature(case):
    """The shared cases."""
    assert shell_signature(case["raw"]) == case["signature"]


@pytest.mark.parametrize("case", CASES.get("signature_similarity", []), ids=lambda case: f"{case['a']} {case['b']}")
def test_shared_case_is_alike_or_not(case):
    """The shared cases, each way round."""
    first, second = shell_signature(case["a"]), shell_signature(case["b"])
    assert likeness(first, second) == likeness(second, first) == case["verdict"]


@pytest.mark.parametrize(
    ("command", "general"),
    [
        ("timeout 60 make build 2>&1 | tail -20", "make build"),
        ("timeout -k 5 60 sudo -u me env A=1 nohup ./run.sh", "run.sh"),
        ("cat notes.md | grep tea | wc -l", "cat notes.md"),
        ("grep -rn 'tea' src/", "grep -rn <str> src"),
        ("pip install tea==0.1", "pip install tea==0.1"),
        ("docker run --name=web -p 80:80 img", "docker run --name=<v> -p 80:80 img"),
        ("(cd app; npm ci) && npm run build > out.log 2>&1 &", "npm ci && npm run build"),
        ("for f in *.py; do ruff check $f; done", "ruff check $f"),
        ("python - <<'EOF'\nimport os\nos.remove('x')\nEOF\necho done", "python - && echo done"),
        ("cat <<A <<B > f\n1\nA\n2\nB\nls", "cat && ls"),
        ("echo $(git rev-parse HEAD) # why", "echo <str>"),
        ('git log --since="2 weeks ago" -n 5', "git log --since=<v> -n <n>"),
        ("git checkout 1234567", "git checkout <n>"),
        ("git checkout facade", "git checkout facade"),
        ("curl 'https://x.test/a b'", "curl <url>"),
        ("A=1", ""),
        ("sleep 5; true", ""),
        ("echo 'never closed", "echo <str>"),
        ("", ""),
    ],
)
def test_command_is_made_general(command, general):
    """What differs from run to run is replaced or left out."""
    assert shell_signature(command) == general


def test_tools_have_their_own_kind_of_signature():
    """An edit or read is its path, a skill its name; of other tools no words are kept."""
    assert signature("Write", {"file_path": "a/b.py", "content": "secret"}) == "a/b.py"
    assert signature("Skill", {"skill": "tea"}) == "tea"
    assert signature("shell", {"command": ["bash", "-lc", "cd x && make test"]}) == "make test"
    assert signature("shell", {"command": ["git", "commit", "-m", "a b"]}) == "git commit -m <str>"
    assert signature("WebSearch", {"query": "private words"}) == ""
    assert signature("Bash", {"command": None}) == ""
    assert len(signature("Bash", {"command": "x" * 500})) == 200


@pytest.mark.parametrize("text", TEXTS.values(), ids=TEXTS)
def test_hostile_command_has_a_short_signature(text):
    """Whatever it is."""
    assert len(shell_signature(text)) <= 200
    assert len(shell_signature(text * 5)) <= 200


@given(st.text(alphabet="ab'\"`$()<>|&;# \n\\=/-1", max_size=60))
def test_signature_of_anything_is_the_same_again(command):
    """No text raises; the same command has the same signature."""
    assert shell_signature(command) == shell_signature.__wrapped__(command)
