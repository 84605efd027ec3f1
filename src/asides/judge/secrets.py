"""What a secret looks like: one row for each kind of token.

Every pattern is anchored by a literal, guarded on the left by the characters it consumes, and repeats
possessively or within a bound. So each character is looked at a bounded number of times, whatever the text.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

_WORD = r"(?<![A-Za-z0-9_-])"
_KEY = r"(?<![A-Za-z0-9])"


@dataclass(frozen=True, slots=True, kw_only=True)
class Shape:
    """One kind of secret: the literals of which one must occur, and the pattern."""

    kind: str
    literals: tuple[str, ...]
    pattern: re.Pattern[str]


def _shape(kind: str, literals: str, pattern: str, flags: re.RegexFlag = re.NOFLAG) -> Shape:
    return Shape(kind=kind, literals=tuple(literals.split()), pattern=re.compile(pattern, flags | re.ASCII))


# A group named `secret` limits what is replaced; without one the whole match is.
# Lengths are those the issuers document, taken at their lower end, since formats grow.
SHAPES: tuple[Shape, ...] = (
    _shape("aws", "AKIA ASIA", _KEY + r"A[KS]IA[A-Z0-9]{16}(?![A-Za-z0-9])"),
    _shape("gcp", "AIza", _KEY + r"AIza[A-Za-z0-9_-]{35}"),
    _shape("gcp", "ya29.", _KEY + r"ya29\.[A-Za-z0-9_.-]{20,}+"),
    _shape("gcp", "GOCSPX-", _WORD + r"GOCSPX-[A-Za-z0-9_-]{20,}+"),
    _shape(
        "azure",
        "AccountKey= SharedAccessKey=",
        r"(?:AccountKey|SharedAccessKey)=(?P<secret>[A-Za-z0-9+/]{20,}+={0,2})",
    ),
    _shape("azure", "8Q~", r"(?<![A-Za-z0-9_~.-])[A-Za-z0-9_~.-]{3}8Q~[A-Za-z0-9_~.-]{31,}+"),
    _shape("azure", "sig=", r"(?<=[?&])sig=(?P<secret>[A-Za-z0-9%+/]{20,}+=?)"),
    _shape("github", "ghp_ gho_ ghu_ ghs_ ghr_", _WORD + r"gh[pousr]_[A-Za-z0-9_]{30,}+"),
    _shape("github", "github_pat_", _WORD + r"github_pat_[A-Za-z0-9_]{22,}+"),
    _shape("gitlab", "gl", _WORD + r"gl(?:pat|ptt|dt|rt|cbt|oas|soat|ft|imt|agent)-[A-Za-z0-9_.-]{20,}+"),
    _shape("npm", "npm_", _WORD + r"npm_[A-Za-z0-9]{36,}+"),
    _shape("pypi", "pypi-", _WORD + r"pypi-[A-Za-z0-9_-]{50,}+"),
    _shape("slack", "xox xapp-", _WORD + r"(?:xox[abeoprs]|xapp)-[A-Za-z0-9-]{10,}+"),
    _shape(
        "slack",
        "hooks.slack.com/",
        r"hooks\.slack\.com/(?:services|workflows)/(?P<secret>[A-Za-z0-9/_-]{16,}+)",
    ),
    _shape("stripe", "_live_ _test_", _WORD + r"[srp]k_(?:live|test)_[A-Za-z0-9]{10,}+"),
    _shape("stripe", "whsec_", _WORD + r"whsec_[A-Za-z0-9+/]{20,}+=?"),
    _shape("anthropic", "sk-ant-", _WORD + r"sk-ant-[A-Za-z0-9_-]{16,}+"),
    _shape("openai", "sk-", _WORD + r"sk-(?=[A-Za-z_-]{0,64}[0-9])(?!ant-)[A-Za-z0-9_-]{20,}+"),
    _shape("huggingface", "hf_", _WORD + r"hf_[A-Za-z0-9]{30,}+"),
    _shape("sendgrid", "SG.", _WORD + r"SG\.[A-Za-z0-9_-]{16,64}+\.[A-Za-z0-9_-]{16,}+"),
    _shape("twilio", "SK", _WORD + r"SK[0-9a-f]{32}(?![0-9a-zA-Z])"),
    _shape("telegram", ":AA", r"(?<![0-9])[0-9]{8,10}+:AA[A-Za-z0-9_-]{32,}+"),
    _shape("digitalocean", "_v1_", _WORD + r"do[opr]_v1_[0-9a-f]{40,}+"),
    _shape("shopify", "shp", _WORD + r"shp(?:at|ca|pa|ss)_[0-9a-fA-F]{32,}+"),
    _shape("vault", "hvs. hvb.", _WORD + r"hv[sb]\.[A-Za-z0-9_-]{20,}+"),
    _shape("docker", "dckr_pat_", _WORD + r"dckr_pat_[A-Za-z0-9_-]{20,}+"),
    _shape("databricks", "dapi", _WORD + r"dapi[0-9a-f]{32,}+"),
    _shape("linear", "lin_api_", _WORD + r"lin_api_[A-Za-z0-9]{32,}+"),
    _shape("groq", "gsk_", _WORD + r"gsk_[A-Za-z0-9]{32,}+"),
    _shape("xai", "xai-", _WORD + r"xai-[A-Za-z0-9]{32,}+"),
    _shape("sentry", "sntry", _WORD + r"sntry[su]_[A-Za-z0-9_=+/-]{32,}+"),
    _shape("supabase", "sbp_", _WORD + r"sbp_[0-9a-f]{32,}+"),
    _shape("notion", "ntn_", _WORD + r"ntn_[A-Za-z0-9]{32,}+"),
    _shape("age", "AGE-SECRET-KEY-1", _WORD + r"AGE-SECRET-KEY-1[A-Z0-9]{40,}+"),
    _shape(
        "jwt", "eyJ", r"(?<![A-Za-z0-9_.-])eyJ[A-Za-z0-9_-]{8,}+\.[A-Za-z0-9_-]{8,}+(?:\.[A-Za-z0-9_-]*+)?"
    ),
    _shape(
        "header",
        "uthorization UTHORIZATION",
        r"(?<![\w-])(?:proxy-)?authorization[\"']?[ \t]{0,4}[:=][ \t]{0,4}[\"']?"
        r"(?:(?:bearer|basic|token|apikey|digest)[ \t]{1,4})?"
        r"(?P<secret>(?!bearer\b|basic\b|token\b|your|\[redacted)[A-Za-z0-9._~+/=:-]{12,}+)",
        re.IGNORECASE,
    ),
    _shape(
        "bearer",
        "earer EARER",
        r"(?<![\w-])bearer[ \t]{1,4}(?P<secret>(?=[A-Za-z._~+/-]{0,64}[0-9])[A-Za-z0-9._~+/-]{16,}+={0,2})",
        re.IGNORECASE,
    ),
    _shape(
        "basic-auth",
        "curl wget",
        r"(?<![\w-])(?:curl|wget)\b[^\n]{0,200}?[ \t](?:-u|--user|--proxy-user)[ \t=]{0,2}"
        r"[\"']?[^\s:\"'`@/$]{1,64}+:"
        r"(?P<secret>(?!\[redacted|[$<{]|\*|xxx|your|(?:password|passwd|pass|pwd|pw|secret|token)(?![^\s\"'`]))"
        r"[^\s\"'`\[\]<>]{3,}+)",
    ),
    _shape(
        "basic-auth",
        "sshpass mysql",
        r"(?<![\w-])(?:sshpass[ \t]-p[ \t]?|mysql(?:dump|admin)?[ \t](?:[^\n]{0,120}?[ \t])?-p)[\"']?"
        r"(?P<secret>(?=[^\s\"'`]{0,64}[0-9!@#%^&*])(?![$<{\[-])[^\s\"'`\[\]<>]{4,}+)",
    ),
    _shape(
        "url-password",
        "://",
        r"(?<=[A-Za-z0-9+.-])://[^\s/:@\"'<>\[\]]{0,128}+:(?P<secret>(?!\[redacted:|\$\{?[A-Za-z]|\{|<)[^\s/\"'<>`]{1,256})@",
    ),
    _shape(
        "url-token", "://", r"(?<=[A-Za-z0-9+.-])://(?P<secret>(?=[A-Za-z_-]{0,64}[0-9])[A-Za-z0-9_-]{20,}+)@"
    ),
)
