"""Secrets are masked in what people say, and nothing else is."""

import subprocess
import sys

import pytest
from hypothesis import given
from hypothesis import strategies as st

from skilltune.limits import SNIPPET_CHARS
from skilltune.stores.secrets import mask_secrets, snippet

ORDINARY = [
    "No, that is wrong, the totals are off by one",
    "the password is wrong, try again",
    "the password is required and must be hidden",
    "add a test for wrong passwords",
    "password: required, username: optional",
    "the password field should be masked",
    "password = getpass.getpass()",
    'password=os.environ["DB_PASSWORD"]',
    "token = get_token(user)",
    "use process.env.API_KEY instead of the constant",
    "API_KEY=$API_KEY make deploy",
    "set api_key: ${{ secrets.API_KEY }} in the workflow",
    "--token <your token> goes there",
    "max_tokens=4096 is too low, use 8192",
    "the token limit is 200000, the secret is to split the file",
    "the tokenizer drops accents; token: str, key: int",
    "The secret to good tests is small fixtures",
    "secret: false, private: true",
    "the api key is missing in the docs",
    "rename the key user_id2 to account_id",
    "revert 3f2a9c1 and cherry-pick 9b1deb4d3b7d4bad9bdd2b0d7b3dcb6d4bad9bdd",
    "commit 4f5e6d7c8b9a0f1e2d3c4b5a69788796a5b4c3d2 broke it",
    "sha256 e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855 does not match",
    "session 123e4567-e89b-12d3-a456-426614174000 is gone",
    "see docs/design/architecture-overview-v2-final.md and src/components/UserProfileCard.tsx",
    "open /home/me/projects/shop/tests/test_checkout_page_2026.py please",
    "C:\\Users\\me\\Documents\\report_2026-11-20_final_v3.xlsx is open",
    "TestUserServiceV2IntegrationSuite fails, so does getUserAccountById2",
    "icons/logo@2x.png is blurry",
    "npm i react@18.2.0 @types/node@20.1.0 typescript@5.4.0-beta.rc",
    "git clone git@github.com:acme/shop.git and run it",
    "see https://example.com/docs/page-12?id=42&sort=asc#top",
    "http://localhost:8080/users/@me returns 404",
    "compass: north, bypass=1, passport: checked",
    "不对，密码错误时应该提示用户重新输入",
    "密码：必填，用户名：选填",
    "令牌的数量是 4096，太多了",
    "请把这个函数改成异步的，谢谢 👍",
    "那个文件 2026-11-20_report_v2.csv 不对，重新生成",
    "パスワードは必須です。もう一度お願いします",
    "Der Token ist abgelaufen, bitte neu anmelden",
    "la contraseña es obligatoria en el formulario",
    "use base64, then sha256; the key is 32 bytes long",
    "the password is 12 characters at least",
    "password hashing with bcrypt or argon2id is slow",
    "version 1.2.3-rc.1+build.20261120 is out",
    "2026-11-20T10:00:00+08:00 should be 2026-11-20T02:00:00Z",
    "print(f'{user.name}: {user.email}') is enough",
    "login(username=username, password=user_password)",
    "def connect(host: str, password: str = '') -> None",
    "the column totalAmountInEUR2026 is empty",
    "ASIA and EMEA are regions; SKU AC1234 is sold out",
    "pass --debug-nghttp2 to configure, and install pypi-jsonschema-specifications",
    "a long-hyphenated-branch-name-for-feature-1234 was pushed",
    "scores: 0.91, 0.88, 12345678901234567890",
    "basic understanding of the code is enough, bearer of bad news",
    "my token budget was gone after 10 minutes",
    "the pw field is empty; pw: required",
    "pass word count2 to the function",
    'the error says the password is "too short to use"',
    'the label is password: "Enter new password"',
    "the password's length is 12, the password's sha256 hash is logged",
    "Authorization: required for admins, Authorization: Bearer <token> else",
    "Authorization: Basic authentication fails, Authorization: Bearer accessToken too",
    "cookie: theme=dark is not set; set the cookie path=/ and samesite=lax",
    "cookies = parse(header), Set-Cookie is missing",
    "login page / signup page, login flow / OAuth2 issue",
    "the login form / RegisterForm2 and user admin/users2/index",
    "login admin / dashboard, see login: docs / README2.md",
    "sk-learn and scikit-learn-contrib-packages, tsk-abcdefghijklmnopqrstuvwxyz",
    "see src/components/UserProfileCard2/index/Ma there",
    "给函数加上@app.route装饰器，用@pytest.fixture代替setup",
    "请看@types/node和icons@2x.png，不对",
    "👩\u200d👩\u200d👧 family, co\u00adoperate, ﬁne ½ ² … ™",
    "naïve café @ Zürich, user@host:~/dir$ ls",
    "Ｐａｓｓｗｏｒｄ　ｆｉｅｌｄ：必填；用户名：选填",
]
"""Sentences without a secret."""

_A, _B = "a1B2c3D4e5F6g7H8i9J0", "k9L8m7N6p5Q4r3S2t1U0v9W8x7Y6"
PLANTED = [
    ("key AKIA{} leaked", "ABCDEFGH12345678"),
    ("AWS_SECRET_ACCESS_KEY={}", "wJa1rXUtnFEM1K7MDENGbPxRf1CYzzzzzzKEY123"),
    ("aws_secret_access_key = '{}'", "wJa1rXUtnFEM1/K7MDENG/bPxRf1CYzzzzzzKEY12"),
    ("my token is {}", "ghp_" + _A + _A[:16]),
    ("use {} for now", "github_pat_" + _A + "_" + _B),
    ("gitlab says {} is revoked", "glpat-" + _A),
    ("slack {}", "xoxb-" + "123456789012-123456789012-" + _A),
    ("post to https://hooks.slack.com/services/{}", "T00000000/B00000000/" + _A),
    ("OPENAI_API_KEY={}", "sk-proj-" + _A + _B),
    ("the key {} does not work", "sk-" + _A + _B),
    ("anthropic: {}", "sk-ant-api03-" + _A + "-" + _B),
    ("google key {} is wrong", "AIza" + "SyA1b2C3d4E5f6G7h8I9j0K1l2M3n4O5p6Q"),
    ("stripe {}", "sk_live_" + _A + "1234"),
    ("webhook secret {}", "whsec_" + _A + _A),
    ("hugging face {}", "hf_" + _A + "abcdefghijklmn"),
    ("npm: {}", "npm_" + _A + _A[:16]),
    ("//registry.example.org/:_authToken={}", "0f1e2d3c-4b5a-6978-8796-a5b4c3d2e1f0"),
    ("pypi {}", "pypi-" + "AgEIcHlwaS5vcmc" + _A * 4),
    ("sendgrid {}", "SG." + _A + "ab." + _A + _A + "abc"),
    ("bot {}", "123456789:AA" + "F1b2C3d4E5f6G7h8I9j0K1l2M3n4O5p6Q"),
    ("jwt {}", "eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxMjM0NTY3ODkwIn0." + _A + _B),
    ("Authorization: Bearer {}", "abc.def-" + _A),
    ("curl -u admin:{} https://example.com", "S3cr3tPass"),
    ("curl -H 'X-Api-Key: {}' https://example.com", "9f8e7d6c5b4a39281706f5e4"),
    ("postgres://app:{}@db.example.com:5432/shop", "s3cr3t-pw"),
    ("mongodb+srv://root:{}@cluster0.example.net/x", "Tr0ub4dor"),
    ("redis://:{}@localhost:6379/0", "longredispassword"),
    ("https://{}@github.com/acme/shop.git", _A + _B),
    ("Server=db;User Id=sa;Password={};Encrypt=true", "Pa55word"),
    ("AccountKey={};EndpointSuffix=core", _A + _B + "=="),
    ("https://blob.example.net/c?sv=2026&sig={}", "abc%2Fdef%3D" + _A),
    ("open https://example.com/x?access_token={}&a=1", "tok" + _A),
    ("password: {}", "hunter2"),
    ("my password is {}, do not write it down", "hunter2"),
    ("PASSWORD={}", "swordfish"),
    ("password = '{}'", "correct horse battery 9"),
    ('passphrase: "{}"', "correct horse battery staple"),
    ('{{"password": "{}"}}', "Tr0ub4dor&3"),
    ("DB_PASS={} make run", "p@ss,w0rd#1"),
    ("log in as admin, pwd: {}", "123456"),
    ("export STRIPE_SECRET={}", "9f8e7d6c5b4a"),
    ("client_secret={}", "Q~8x1y2z3A4b5C6d7"),
    ("run it with --token {} please", "ab12cd34ef56"),
    ("run it with --password={}", "letmein1"),
    ("sshpass -p {} ssh host", "l3tm3in"),
    ("mysql -u root -p{} shop", "r00tpw"),
    ("密码是{}，不要改", "abc12345"),
    ("密码：{}。", "Abc@123"),
    ("密钥 = {}", "9f8e7d6c5b4a3928"),
    ("パスワードは{}です", "hunter2x"),
    ("la contraseña es {}", "gato1234"),
    ("пароль: {}", "sekret99"),
    ("machine example.com login me password {}", "n3trcpw"),
    ("use {} as the seed", "Zk3Vx9Qp2Lr8Wt5Ny7Bm4Hd6Js1Gf0Ac"),
    ("api key: {}", "0123456789abcdef0123"),
    ("session_key: '{}'", "Ab12Cd34Ef56"),
    ("pw: {}", "hunter2"),
    ("Authorization: Basic {}", "dXNlcjpwYXNz"),
    ("Authorization: Bearer {}", "abcdefghijKLMNOPqrstuv"),
    ('my password is "{}"', "correct horse battery staple"),
    ("my password is '{}'", "swordfish"),
    ("the root password's {}", "swordfish9"),
    ("pass word: {}", "hunter2x1"),
    ("cookie: sessionid={}; theme=dark", "9f8e7d6c"),
    ("set-cookie: sid={}; Path=/; HttpOnly", "abcdef1234567890"),
    ("curl -b 'session={}' localhost", "9f8e7d6c5b4a"),
    ("login admin / {}", "S3cretPass!"),
    ("credentials: root:{}", "hunter2x"),
    ("use {} now", "sk-" + "abcdefghijklmnopqrstuvwx"),
    ("use {} as key", "aB3d/E5gH7+jK9mN1pQ3sT5vW7yZ9bC1dE3gH5/k"),
    ("password\u200b: {}", "hunter2"),
    ("p\u00adass\u200dword = {}", "sw0rdfish"),
    ("use {} for now", "ghp_a1B2\u200bc3D4e5F6g7H8i9J0a1B2c3D4e5F6g7H8"),
    ("ｐａｓｓｗｏｒｄ：{}", "ｈｕｎｔｅｒ２"),
    ("密码是{}，token不对", "abc12345"),
]
"""Sentences with a place for a secret, and an invented secret for it."""

EMAILS = [
    "ops@example.org",
    "first.last+tag@mail.example.co.uk",
    "a_b-c@example.museum",
    "X@Y.IO",
    "me%x@sub.example.com",
]

WIDE_EMAILS = [
    ("ｏｐｓ＠ｅｘａｍｐｌｅ．ｏｒｇ", "发给{}，谢谢"),
    ("ops@exam\u200bple.org", "mail {} now"),
    ("info@münchen.de", "mail {} now"),
    ("jörg@example.org", "mail {} now"),
    ("admin@xn--mnchen-3ya.de", "mail {} now"),
    ("почта@пример.рф", "пиши {} сейчас"),
    ("用户@例子.公司", "联系 {}，谢谢"),
    ("admin@例え.jp", "{} です"),
]

KEY_BLOCK = "-----BEGIN {0}PRIVATE KEY-----\n{1}\n{1}\n-----END {0}PRIVATE KEY-----"


@pytest.mark.parametrize("text", ORDINARY)
def test_mask_ordinary_sentence(text):
    """A sentence without a secret stays as it is."""
    assert mask_secrets(text) == text


@pytest.mark.parametrize(("sentence", "secret"), PLANTED)
def test_mask_planted_secret(sentence, secret):
    """The secret is gone, and the words before it are still there."""
    masked = mask_secrets(sentence.format(secret))
    assert secret not in masked
    assert not any(secret[i : i + 6] in masked for i in range(len(secret) - 5))
    assert "[secret]" in masked
    first = sentence.split("{")[0].split()[:1]
    assert all(word in masked for word in first)


@pytest.mark.parametrize("address", EMAILS)
@pytest.mark.parametrize("sentence", ["write to {} now", "发给{}，谢谢", "<{}>", "mailto:{}", "{}"])
def test_mask_email(address, sentence):
    """An e-mail address is masked as one, next to any script."""
    assert mask_secrets(sentence.format(address)) == sentence.format("[email]")


def test_mask_secret_access_key_without_a_word_about_it():
    """The secret access key of AWS's manuals, with one digit only, is masked by its looks."""
    assert mask_secrets("it is wJalrXUtnFEMI/K7MDENG/bPxRfiCYEXAMPLEKEY here") == "it is [secret] here"


@pytest.mark.parametrize(("address", "sentence"), WIDE_EMAILS)
def test_mask_email_of_any_script(address, sentence):
    """An address in wide letters, with invisible ones, or of an international domain is masked as one."""
    assert mask_secrets(sentence.format(address)) == sentence.format("[email]")


@pytest.mark.parametrize("kind", ["", "RSA ", "EC ", "OPENSSH ", "ENCRYPTED "])
def test_mask_private_key_block(kind):
    """A private key is masked from BEGIN to END, with line ends or folded to one line."""
    block = KEY_BLOCK.format(kind, _A + _B)
    for text in (block, " ".join(block.split()), block[:120]):
        masked = mask_secrets(f"here: {text}")
        assert masked == "here: [secret]"


def test_mask_keeps_text_after_private_key():
    """What follows a whole key block stays."""
    assert mask_secrets(KEY_BLOCK.format("RSA ", _A) + " and go on") == "[secret] and go on"


@pytest.mark.parametrize(("sentence", "secret"), PLANTED)
def test_mask_twice_changes_nothing(sentence, secret):
    """A masked text is not masked again."""
    once = mask_secrets(sentence.format(secret))
    assert mask_secrets(once) == once


_FRAGMENTS = [sentence.format(secret) for sentence, secret in PLANTED] + [
    *EMAILS,
    "[secret]",
    "[email]",
    "password",
    "token",
    "secret",
    "is",
    ":",
    "=",
    " ",
    "@",
    "/",
    "://",
    '"',
    "密码",
    "x1y2",
    ".",
]


@given(st.lists(st.sampled_from(_FRAGMENTS) | st.text(max_size=5), max_size=8).map("".join))
def test_mask_any_text_twice(text):
    """Masking any text twice gives what masking it once gives."""
    once = mask_secrets(text)
    assert mask_secrets(once) == once


_SHORT = [piece[:11] for sentence, secret in PLANTED for piece in sentence.format(secret).split()]


@given(st.lists(st.sampled_from(_SHORT) | st.text("aX9-:/'", min_size=1, max_size=5), max_size=8).map(" ".join))
def test_mask_plain_text_is_seen_to_be_plain(text):
    """What is passed over at a glance has nothing to mask: an assignment's sign at its end makes no difference."""
    if mask_secrets(text) == text:
        assert mask_secrets(f"{text} =") == f"{text} ="


def _filler(length: int) -> str:
    """Words of `length` characters in all, with a blank at the end."""
    return ("word " * 60)[: length - 2] + "x "


@pytest.mark.parametrize(("sentence", "secret"), PLANTED)
@pytest.mark.parametrize("inside", [3, 7])
def test_snippet_masks_secret_cut_by_limit(sentence, secret, inside):
    """Of a secret that crosses the 200 character limit nothing is kept."""
    before = sentence.format("\0").partition("\0")[0]
    lead = _filler(SNIPPET_CHARS - len(before) - inside)
    kept = snippet(lead + sentence.format(secret))
    assert len(kept) <= SNIPPET_CHARS
    assert secret[:inside] not in kept[len(lead) :].removeprefix(before)


@pytest.mark.parametrize(("sentence", "secret"), PLANTED)
@pytest.mark.parametrize("inside", [7, 12])
def test_snippet_of_text_that_was_cut_before(sentence, secret, inside):
    """Where somebody else cut the text at the limit, in the middle of a secret, its first half is not kept."""
    before = sentence.format("\0").partition("\0")[0]
    lead = _filler(SNIPPET_CHARS - len(before) - inside)
    text = (lead + sentence.format(secret))[:SNIPPET_CHARS]
    assert secret[:inside] in text
    assert secret[:inside] not in snippet(text)[len(lead) :]


@pytest.mark.parametrize("end", ["plain", "密码不对", "字"])
def test_snippet_of_text_that_was_cut_before_keeps_words(end):
    """Half a plain word at the limit is kept, in any script."""
    text = _filler(SNIPPET_CHARS - len(end)) + end
    assert snippet(text) == text
    assert snippet("x" * 500) == snippet("x" * SNIPPET_CHARS) == "x" * SNIPPET_CHARS


def test_snippet_keeps_nothing_from_beyond_the_limit():
    """Masks make a text shorter; what stood after 200 characters does not move in, as its end was not looked at."""
    text = f"password: {'x1' * 60} " + "word " * 20 + "END"
    assert "END" not in snippet(text)


@given(st.text(alphabet=st.characters(exclude_categories=()), max_size=900))
def test_snippet_any_text(text):
    """A snippet is one line of at most 200 characters, and is its own snippet."""
    kept = snippet(text)
    assert len(kept) <= SNIPPET_CHARS
    assert kept == " ".join(kept.split())


def test_snippet_folds_white_space():
    """Line ends, tabs and runs of blanks become one blank."""
    assert snippet("  no,\n\n\tnot   like\u3000that ") == "no, not like that"


def test_snippet_of_long_blank_start():
    """Words after many blanks are found."""
    assert snippet("\n" * 50_000 + "still here") == "still here"


HOSTILE = [
    "a" * 100_000,
    "password" * 12_500,
    "password=" * 11_000,
    "a.a@" * 25_000,
    "a@" * 50_000,
    "sk-" * 33_000,
    "eyJ" * 33_000,
    "a://" * 25_000,
    "http://a:" * 11_000,
    "-----BEGIN PRIVATE KEY-----" * 3_700,
    "password:" + " " * 100_000,
    "xoxb-1-" * 14_000,
    "aB3" * 33_000,
    "a.b." * 25_000,
    "\"'" * 50_000,
    "mysql " * 16_000,
    "-u a:" * 20_000,
    "?key=" * 20_000,
    "bearer " * 14_000,
    "密码" * 50_000,
    "glpat-" * 16_000,
    "basic YTpi" * 10_000,
    "cookie a=" * 11_000,
    "cookie a=b;" * 9_000,
    "login a/" * 12_000,
    "é@" * 50_000,
    "字" * 100_000,
    "字.a@" * 25_000,
    "\u200b" * 100_000,
    "ａ" * 100_000,
]


@pytest.mark.parametrize("text", HOSTILE, ids=[text[:12].strip() for text in HOSTILE])
def test_mask_hostile_text_is_masked_once_for_all(text):
    """What is masked of 100 KB made to slow a search down holds nothing to mask; a snippet of them stays short."""
    masked = mask_secrets(text)
    assert mask_secrets(masked) == masked
    assert len(snippet(text)) <= SNIPPET_CHARS


def test_import_is_light():
    """The library with the token formats, and the HTTP client it brings, are not loaded before they are needed."""
    code = "import sys, skilltune.stores.feedback; print([m for m in sys.modules if m.split('.')[0] in HEAVY])"
    code = code.replace("HEAVY", "('detect_secrets', 'requests', 'pandas')")
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"
