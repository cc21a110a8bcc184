"""What secrets look like: patterns as data, each bounded so that no text makes it slow."""

import re
from functools import cache
from typing import Final

__all__ = [
    "ASSIGNED",
    "BLOCKS",
    "CODE",
    "COMMON_WORDS",
    "EMAIL",
    "FILE_NAME",
    "PLACED",
    "PROSE_WORDS",
    "SECRET_KEY",
    "SPOKEN",
    "TOKEN",
    "WIDE_EMAIL",
    "WORD",
    "library_hint",
    "library_patterns",
]

BLOCKS: Final = (
    re.compile(
        r"-----BEGIN [A-Z0-9 ]{0,40}PRIVATE KEY(?: BLOCK)?-----"
        r"(?:.*?-----END [A-Z0-9 ]{0,40}PRIVATE KEY(?: BLOCK)?-----|.*)",
        re.DOTALL,
    ),
    re.compile(r"PuTTY-User-Key-File-\d:.*", re.DOTALL),
)
"""Private keys, to their end or that of the text."""

PLACED: Final = (
    re.compile(r"\b[a-z][a-z0-9+.-]{1,30}://[^\s/@:]{0,100}:([^\s/@]{1,200})@", re.IGNORECASE),
    re.compile(r"\b[a-z][a-z0-9+.-]{1,30}://([^\s/@:]{16,200})@", re.IGNORECASE),
    re.compile(
        r"[?&](?:access_token|api_?key|auth|client_secret|key|password|pwd|secret|sig|signature|token|x-amz-signature)"
        r"=([^&\s#\"'<>]{6,300})",
        re.IGNORECASE,
    ),
    re.compile(r"(?:hooks\.slack\.com/(?:services|workflows)|discord(?:app)?\.com/api/webhooks)/([\w/-]{10,200})"),
    re.compile(r"\b(?:SharedAccessSignature|AccountKey|SharedAccessKey)=([^;\s\"']{6,400})", re.IGNORECASE),
    re.compile(r"_(?:authToken|auth|password)=([^\s\"']{6,300})"),
    re.compile(r"(?<!\S)(?:-u|--user)[ =][\"']?[^\s:\"']{1,60}:([^\s\"']{3,200})"),
    re.compile(r"\b(?:bearer|basic)\s{1,3}(?=\S{0,60}\d)([A-Za-z0-9._~+/=-]{16,400})", re.IGNORECASE),
    re.compile(r"\bsshpass -p ?[\"']?([^\s\"']{3,200})"),
    re.compile(r"\bmysql(?:dump|admin)?\b[^\n|]{0,60}? -p([^\s\"']{3,200})"),
)
"""A secret by its place: group 1, whatever it looks like."""

TOKEN: Final = re.compile(
    r"(?<![A-Za-z0-9])(?:"
    r"eyJ[\w-]{10,}(?:\.[\w-]+){0,2}"
    r"|(?:AKIA|ASIA|ABIA|ACCA|A3T[A-Z0-9])[0-9A-Z]{8,}"
    r"|AIza[\w-]{16,}|ya29\.[\w-]{16,}|GOCSPX-[\w-]{16,}"
    r"|github_pat_\w{10,}|gh[pousr]_\w{10,}|gl(?:pat|dt|ft|soat|rt|cbt|ptt|agent|imt|oas)-[\w-]{10,}"
    r"|xox[abeoprs]-[\w-]{10,}|xapp-[\w-]{10,}"
    r"|[sr]k_(?:live|test)_\w{8,}|whsec_\w{10,}|sq0(?:atp|csp)-[\w-]{10,}|shp(?:at|ca|pa|ss)_\w{10,}"
    r"|sk-(?:ant|proj|or|svcacct|lf)-[\w-]{8,}|sk-(?=[\w-]{0,40}\d)[\w-]{16,}|sk-[A-Za-z]{20,}(?![\w-])"
    r"|(?:gsk|hf|r8|fw|sbp|ntn|npm|figd|dckr_pat|glsa|glc|rubygems|lin_api|dop_v1|doo_v1|pscale_\w{2,5})_\w{16,}"
    r"|(?:xai|pplx|tvly|nvapi|NRAK|PMAK|CFPAT)-[\w-]{16,}|dp\.(?:pt|st|ct)\.\w{10,}|dapi[0-9a-f]{16,}"
    r"|ATATT3[\w=-]{10,}|ATCTT3[\w=-]{10,}|hv[sbr]\.[\w-]{16,}|AGE-SECRET-KEY-1[0-9A-Z]{10,}|EAA[A-Za-z0-9]{40,}"
    r"|SG\.[\w-]{10,}(?:\.[\w-]+)?|pypi-(?=[\w-]{0,40}\d)[\w-]{24,}|key-[0-9a-f]{32}|AC[a-f0-9]{32}|SK[a-f0-9]{32}"
    r"|\d{8,10}:AA[\w-]{20,}"
    r")"
)
"""Tokens that a known prefix gives away, also where the end is cut off."""

WORD: Final = re.compile(r"[A-Za-z0-9_.:/+=~-]{12,}")
"""Where such a token, or a random string, can be."""

_PASSES: Final = (
    r"pass(?:[ -]?word|wd|phrase|code)?|pwd?|contraseña|mot de passe|passwort|пароль|密码|密碼|口令|パスワード"
)
_KEY: Final = (
    r"secret|token|credentials?|密钥|秘钥|密鑰|令牌"
    r"|(?:api|access|private|auth|account|encryption|signing|master|service|client|session|licen[sc]e)[ _-]?keys?"
)
_KEYWORD: Final = rf"(?:(?P<password>{_PASSES})|(?P<key>{_KEY}))(?P<suffix>(?:[_-][A-Za-z0-9_-]{{1,20}})?)"
_VALUE: Final = (
    r"(?:\"(?P<double>[^\"\n]{3,200})\"|'(?P<single>[^'\n]{3,200})'|`(?P<tick>[^`\n]{3,200})`"
    r"|(?P<bare>[!#-&(-_a-~]{3,200}))"
)

ASSIGNED: Final = re.compile(
    rf"{_KEYWORD}[\"'`\])]{{0,2}}(?P<link>\s{{0,3}}(?:[:=]=?>?|：|＝)\s{{0,3}}){_VALUE}", re.IGNORECASE
)
"""``password = value``, ``"token": "value"``, ``密码：value``."""

SPOKEN: Final = re.compile(
    rf"{_KEYWORD}(?P<link>\s{{1,3}}(?:(?:is|was|to|es|ist|est)\s{{1,3}})?|['’]s\s{{1,3}}|\s?(?:是|为|為|は)\s?){_VALUE}",
    re.IGNORECASE,
)
"""``the password is value``, ``the password's value``, ``--token value``, ``密码是value``."""

_LETTER: Final = r"A-Za-z\u00c0-\u00d6\u00d8-\u00f6\u00f8-\u024f\u0370-\u052f"
"""Letters of scripts that part their words: Latin, Greek, Cyrillic."""

EMAIL: Final = re.compile(
    rf"(?<![{_LETTER}0-9._%+-])(?P<local>[{_LETTER}0-9._%+-]{{1,64}})@"
    rf"(?P<domain>(?:[{_LETTER}0-9-]{{1,63}}\.){{1,5}}(?P<top>xn--[A-Za-z0-9-]{{2,40}}|[{_LETTER}]{{2,24}}))"
    r"(?![A-Za-z0-9])"
)

WIDE_EMAIL: Final = re.compile(
    r"(?P<local>[\w.%+-]{1,64})@(?P<domain>(?:[\w-]{1,63}\.){1,5}"
    r"(?P<top>com|net|org|edu|gov|info|cn|tw|hk|jp|kr|th|in|公司|中国|中國|网络|網絡|网址|商城|台灣|台湾|香港|みんな|コム"
    r"|한국|닷컴|भारत|ไทย|امارات|السعودية|مصر))(?![A-Za-z0-9])",
    re.IGNORECASE,
)
"""Addresses in scripts without blanks; only under well-known ends, as ``@`` is followed by other things there too."""

SECRET_KEY: Final = re.compile(
    r"(?<![A-Za-z0-9/+])(?=[A-Za-z0-9]{0,39}[/+])(?=[^a-z]{0,39}[a-z])(?=[^A-Z]{0,39}[A-Z])(?=\D{0,39}\d)"
    r"[A-Za-z0-9/+]{40}(?![A-Za-z0-9/+=])"
)
"""40 characters of base64 with all there is in it, as secret access keys of AWS are."""

_PROSE: Final = """
a an and any are as at be but by can cannot contain contains do does for from had has have here if in is it least
match matches may more must no not of on or please should than that the then this to too up was were will with within
without you your
"""
PROSE_WORDS: Final = frozenset(_PROSE.split())
"""A quoted value with one of these is a sentence."""

FILE_NAME: Final = re.compile(
    r"\.(?:png|jpe?g|gif|svg|webp|ico|pdf|mdx?|txt|py|pyi|ipynb|tsx?|jsx?|mjs|cjs|json|jsonl|ya?ml|toml|ini|cfg|env|lock"
    r"|sh|ps1|sql|csv|parquet|xml|html?|css|scss|go|rs|java|kt|rb|php|c|h|cc|cpp|hpp|cs|swift|vue|log|zip|gz|tar|whl)$",
    re.IGNORECASE,
)

CODE: Final = re.compile(
    r"^(?:[$<{%\[(*&].*|[\w.]+[\[(].*|(?:\.{0,2}|~)/.*|[a-z][a-z0-9+.-]*://.*|[^\W\d]\w*(?:\.[^\W\d]\w*)+"
    r"|\d{4}-\d\d-\d\d.*|(?:your|my|some|the|an?|example|sample|dummy|fake|test)[_-].*|(.)\1{2,}|[\d.,]+(?:k|m|s|ms|px|%)?)$",
    re.IGNORECASE | re.DOTALL,
)
"""Values that stand for something else: variables, calls, paths, placeholders, stars, dates, plain numbers."""

_COMMON: Final = """
admin again any arg argument auth base bcrypt before blank bool boolean broken bytes cannot changed char check
correct default disabled empty enabled encrypted env error expired expires failed false field file float form
generated hash hashed header hidden incorrect input insecure int integer invalid is json jwt key leaked length list
long lost manager masked min missing mode mysecret name needed never new nil no none not null number object off ok
old on only optional param passwd password plain plaintext policy present prompt pwd redacted rejected removed
required reset rotated rotation same secret secrets short someone something str string strong testing text todo
token tokens too true type undefined unknown unsafe unset update updated user username valid value vault weak wrong
yes yourpassword
"""
COMMON_WORDS: Final = frozenset(_COMMON.split())
"""What follows "password:" without being one."""


@cache
def library_hint() -> re.Pattern[str]:
    """What stands in every token that a pattern of ``library_patterns`` finds: without it they need not be loaded."""
    return re.compile(
        r"AKC|A3T|ABIA|ACCA|AKIA|ASIA|AccountKey=|[MNO][\w-]{23,25}\.[\w-]{6}\.|gh[opsru]_|gl[a-z]{2,5}-|GR1348941"
        r"|-us\d|pypi-Ag|SG\.|xox|hooks\.slack\.com|sq0csp-|k_live_|\d{8,10}:",
        re.IGNORECASE,
    )


@cache
def library_patterns() -> tuple[re.Pattern[str], ...]:
    """The token formats that detect-secrets knows; imported late, as it brings an HTTP client (never used).

    Its patterns are run here, not its ``analyze_string``, which gives only the prefix of some tokens. Those whose
    time grows with the square of the text, and those for ``name = value``, are covered above.
    """
    from detect_secrets.plugins import (
        artifactory,
        aws,
        azure_storage_key,
        discord,
        github_token,
        gitlab_token,
        mailchimp,
        pypi_token,
        sendgrid,
        slack,
        square_oauth,
        stripe,
        telegram_token,
    )

    plugins = (
        azure_storage_key.AzureStorageKeyDetector,
        discord.DiscordBotTokenDetector,
        github_token.GitHubTokenDetector,
        gitlab_token.GitLabTokenDetector,
        mailchimp.MailchimpDetector,
        pypi_token.PypiTokenDetector,
        sendgrid.SendGridDetector,
        slack.SlackDetector,
        square_oauth.SquareOAuthDetector,
        stripe.StripeDetector,
        telegram_token.TelegramBotTokenDetector,
    )
    first = (artifactory.ArtifactoryDetector.denylist[0], aws.AWSKeyDetector.denylist[0])
    return (*first, *(pattern for plugin in plugins for pattern in plugin.denylist))
