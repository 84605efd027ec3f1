"""What a clause bans, by its grammar alone: nothing here knows what the names mean."""

from __future__ import annotations

import re
from dataclasses import dataclass

_LEAD = (
    r"(?:(?:please|pls|plz|ok(?:ay)?|so|also|and|btw|hey|remember|again|from now on|going"
    r" forward|new rule|house rule|rule"
    r"|note|reminder|fyi|nope|no way|just|seriously|i said|i told you|as i said|like i said"
    r"|in (?:this|our|the) (?:project|repo"
    r"|repository|codebase)|convention|let'?s|ever|one more thing|really|for real|absolutely"
    r"|definitely|strictly|listen|look|guys)[,:]? )*"
)
# "You never use the logger" is a complaint, and "I don't use it" a habit: neither is a rule.
_WE = r"(?:we |you (?=must|should|can|may)|i (?=(?:don'?t|do not|never)(?: ever)? want ))?"
_NOT = (
    r"(?:do not|don'?t|never ever|never|must(?: not|n'?t)|should(?: not|n'?t)|can(?: ?not"
    r"|'?t)|not allowed to|no longer|stop"
    r"|quit|under no circumstances|does not|doesn'?t|won'?t|will not|may not)(?: ever|"
    r" even)?(?: want to(?: ever)?)?"
)
_VERB = (
    r"(?P<verb>us(?:e|ing)|import(?:ing)?(?: anything| things| stuff| code)? from"
    r"|import(?:ing)?|add(?:ing)?|reach for"
    r"|pull(?:ing)? in|bring(?:ing)?(?: in| back)?|introduc(?:e|ing)|call(?:ing)?"
    r"|writ(?:e|ing)|leav(?:e|ing)|depend(?:ing)? on|install(?:ing)?|requir(?:e|ing)"
    r"|includ(?:e|ing)|rely(?:ing)? on|see"
    r"|rais(?:e|ing)|throw(?:ing)?|putt?(?:ing)?|commit(?:ting)?|pass(?:ing)?|read(?:ing)?"
    r"|touch(?:ing)?|access(?:ing)?)"
)
_LOOSE = r"(?:(?P<how>bare|plain|raw|generic|naked|new|more|the|a|an|our|direct|explicit) )*"
_ITEM = (
    r"(?:`[^`]+`(?: (?:package|library|lib|module|gem|crate|dependency|function|hook))?"
    r"|\"[^\"]+\"|'[^']+'|[^\s,`\"]+(?: (?!and |or |nor |anymore|again|ever"
    r"|anywhere|please|pls|in |use |we )[^\s,`\"]+){0,4}?)"
)
_THING = rf"{_LOOSE}(?P<thing>{_ITEM}(?:(?: or | nor | and | & |/| or even ){_ITEM}){{0,2}})"
_EVERYWHERE = (
    r"(?:anymore|any more|any longer|again|ever again|ever|anywhere|at all|please|pls|plz"
    r"|directly|in anything new|in any new code"
    r"|in new code|(?:anywhere )?(?:in|into|to) (?:this|our|the) (?:project|repo|repository"
    r"|codebase|code base|code|app|source|sources)"
    r"|in committed code|in commits|in code|in (?:typescript|ts|javascript|js|python|css|go"
    r"|rust|java)|as a dependency|as a dep|from anything|whatsoever)"
)
_REASON = r"(?P<why>(?:because|since|cause|cuz|bc|as it|as they|it|it'?s|they'?re) .{1,200})"
_NEW = (
    r"(?:(?:and )?(?:just )?(?:use|we use|we have|go with|go through) (?P<then>`[^`]+`"
    r"|[^\s,]+)(?: instead| everywhere| only)?)"
)
_PATH = r"(?P<path>`[^`]+`|[^\s,`]*[^\s,`.:;!])"
_TAIL = rf"(?: {_EVERYWHERE})*(?: (?:{_REASON}|{_NEW}))?$"
_POLITE = r"(?: (?:please|pls|plz|ok|thanks|directly))?$"
_BANNED = (
    r"(?:is|are) (?:now )?(?:strictly |absolutely )?(?:banned|forbidden|not allowed|off[-"
    r" ]limits|prohibited|disallowed|verboten|outlawed|not permitted|a no[- ]go)"
)
_AWAY = (
    r"(?:we'?re |we are |we (?:have )?)?(?:moving|moved|migrating|migrated|getting|got)"
    r" (?:off of|off|away from|rid of)"
)
_DOING = r"(?P<verb>using|importing|raising|throwing|calling)"
_READ = r"(?:read|touch|access|use|see|import|import from|call|reads|touches|uses|imports)"


def _clause(pattern: str) -> re.Pattern[str]:
    return re.compile(f"^{_LEAD}{pattern}", re.IGNORECASE)


_FORMS = tuple(
    _clause(pattern)
    for pattern in (
        rf"{_WE}{_NOT} {_VERB} {_THING}{_TAIL}",
        rf"{_WE}{_NOT} (?P<thing>`(?:import|from|use) [^`]+`|\.?[A-Za-z_][\w.]*!?\(\)){_TAIL}",
        rf"no (?P<verb>raise|throw) {_THING}{_TAIL}",
        rf"no {_LOOSE}(?P<thing>{_ITEM}(?:(?: or | nor | and | & |/){_ITEM}){{0,2}}){_TAIL}",
        rf"(?:(?:the )?use of |{_DOING} )?{_THING} {_BANNED}{_TAIL}",
        rf"{_AWAY} {_THING}(?: to (?P<instead>`[^`]+`|[^\s,]+))?{_TAIL}",
    )
)
_WITHIN = tuple(
    _clause(pattern)
    for pattern in (
        (
            rf"{_WE}{_NOT} {_VERB} {_THING}(?: directly)? (?:in|inside|under|within|anywhere in"
            rf"|anywhere under) {_PATH}{_POLITE}"
        ),
        (
            rf"no {_LOOSE}(?P<thing>{_ITEM})(?: directly)? (?:in|inside|under|within|anywhere in"
            rf"|anywhere under) {_PATH}{_POLITE}"
        ),
    )
)
_OUT = (
    r"(?:outside(?: of)?|(?:anywhere|anyplace|somewhere)(?: else)? (?:but|than|other than|except"
    r"|outside|outside of|besides)(?: in)?"
    r"|(?:except|other than)(?: in| from)?)"
)
_OUTSIDE = tuple(
    _clause(pattern)
    for pattern in (
        rf"{_WE}{_NOT} {_VERB} {_THING}(?: directly)? {_OUT} {_PATH}{_POLITE}",
        rf"no {_LOOSE}(?P<thing>{_ITEM})(?: directly)? {_OUT} {_PATH}{_POLITE}",
        rf"{_THING} (?:is |are |may |can |should |must |go |goes |live |lives |belong |belongs"
        rf" )?(?:be )?(?:only |exclusively )(?:be )?"
        rf"(?:used |read |accessed |allowed |touched |called )?(?:in|from|inside|through|via)"
        rf" {_PATH}{_POLITE}",
        (
            rf"{_THING} (?:is |are )?(?:used |read |accessed |allowed |touched )?only (?:in|from"
            rf"|inside|through|via) {_PATH}{_POLITE}"
        ),
        rf"only {_PATH} (?:(?:is|are) (?:allowed|supposed) to |may |can |should |gets? to ){_READ} {_THING}$",
        rf"nobody {_READ} {_THING} (?:but|except|other than) {_PATH}{_POLITE}",
        rf"(?:read|access|use) {_THING} (?:only|exclusively) (?:in|from|inside|through|via) {_PATH}{_POLITE}",
        (
            rf"all {_THING}(?: access| reads)? (?:goes|go|comes?|must go|should go) (?:only"
            rf" )?(?:through|via|from|in|into) {_PATH}{_POLITE}"
        ),
    )
)
_SWAPS = tuple(
    _clause(pattern)
    for pattern in (
        (
            rf"(?:we )?(?:always )?(?P<verb>use|call|import|raise|throw|go with|stick to|stick"
            rf" with) (?:our |the |our own )?(?P<instead>`[^`]+`|[^\s,]+)"
            rf" (?:instead of|rather than|in place of) {_THING}{_TAIL}"
        ),
        rf"(?:always )?(?P<instead>`[^`]+`|[^\s,]+) (?:instead of|rather than|not) {_THING}{_TAIL}",
        (
            rf"(?:we )?(?:always )?(?P<verb>use|call|import|raise|throw|go with|stick to|stick"
            rf" with) (?:our |the |our own )?(?P<instead>`[^`]+`|[^\s,]+)"
            rf" (?:and )?(?:not|never) {_THING}{_TAIL}"
        ),
    )
)
_SWAP_OVER_TWO = re.compile(
    rf"^{_LEAD}(?:we )?(?:always )?(?:(?P<verb>use|call|import|raise|throw|we're on|we are on)"
    rf" )?(?:our |the |our own )?(?P<instead>`[^`]+`|[^\s,]+)(?: only)?"
    rf", (?:and )?(?:not|never) {_THING}{_TAIL}",
    re.IGNORECASE,
)
_USE = re.compile(
    rf"^{_LEAD}(?:we |and )?(?:just |only |always )?(?:have|use|go with|stick to|stick with|go"
    rf" through) (?:the "
    rf"|our |our own )?(?P<one>`[^`]+`|[^\s,]+)"
    r"(?: or (?:const|let|\?))?(?: only| instead| everywhere)?$|^(?P<two>`[^`]+`|[^\s,]+)"
    r" (?:only|instead|everywhere)$",
    re.IGNORECASE,
)
_NARROWER = re.compile(
    r"^(?:in|for|on|inside|under|within|at|outside|to|as|only|from|with|among|especially"
    r"|particularly|at least|mainly|not|starting|beginning|effective|since|by|between|next|first"
    r"|just (?:for|in|on|this)|instead of)\b"
    r"(?! (?:this|our|the) (?:project|repo|repository|codebase)$)(?! now on$)",
    re.IGNORECASE,
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Ban:
    """What a clause says not to use. `swap`: it names the other thing in the same breath."""

    things: tuple[str, ...]
    verb: str = ""
    bare: bool = False  # "bare", "plain": said of errors
    instead: str = ""
    within: str = ""
    outside: str = ""
    swap: bool = False
    why: str = ""
    told: bool = True  # the other thing comes with a verb: "use this, not that"


def ban(clause: str) -> list[Ban]:
    """Returns all that the clause may ban, the likeliest reading first; none if it bans nothing."""
    found = []
    for patterns, place in ((_OUTSIDE, "outside"), (_WITHIN, "within"), (_SWAPS, ""), (_FORMS, "")):
        for pattern in patterns:
            match = pattern.match(clause)
            if match:
                found.append(_ban(match, place, swap=patterns is _SWAPS))
    return found


def swap(two: str) -> Ban | None:
    """Returns the ban in "use this, not that"; None if it is none."""
    match = _SWAP_OVER_TWO.match(two)
    return _ban(match, "", swap=True) if match else None


def instead(clause: str) -> str:
    """Returns what a clause says to use; empty if it says none."""
    match = _USE.match(clause)
    return _name(match["one"] or match["two"]) if match else ""


_LEADS = re.compile(
    rf"^{_LEAD}(?:please|pls|plz|ok(?:ay)?|hey|remember|again|rule|note|reminder"
    rf"|fyi|nope|no|seriously"
    r"|important|policy|style|heads up|psa|convention|always|never|listen|look|guys|really"
    r"|one more thing|house rule"
    r"|new rule|for the record|last thing|and|also|so|thing is|repeat after me|general rule)$",
    re.IGNORECASE,
)
_VERBAL = re.compile(
    (
        r"(?:'s|'re|'ve)\b|\b(?:is|are|we|it|i|has|have|bites?|breaks?|broke|hurts?|stays?|wins?"
        r"|killed|nobody|works|does|fails|leaks|crashes|can't|won't|doesn't)\b"
    ),
    re.I,
)


_FOLLOWS = re.compile(
    r"^(?:fix|return|write|raise|throw|use|import|log|call|go|switch|do|let|make|put|wrap"
    r"|convert|always|never|nowhere else"
    r"|ever|never ever|period|full stop|at all|anywhere|please|pls|plz|thanks|thank you|ok"
    r"|seriously|const or let|no excuses|got it|i mean it|just)\b"
    r"(?! (?:for|in|on)\b)",
    re.I,
)


def follows(clause: str) -> bool:
    """Returns whether a clause after a ban says what to do, or why: no part of the code that stands apart."""
    return bool(_FOLLOWS.match(clause) or _VERBAL.search(clause))


def leads(clause: str) -> bool:
    """Returns whether a clause before a ban only leads to it: no label such as "frontend", no date."""
    return bool(_LEADS.match(clause) or _VERBAL.search(clause))


def narrows(clause: str) -> bool:
    """Returns whether a clause limits the others to some place or case."""
    return bool(_NARROWER.match(clause))


def _ban(match: re.Match[str], place: str, *, swap: bool) -> Ban:
    has = match.groupdict()
    things = re.split(r" or even | or | nor | and | & |(?<=`)/(?=`)", match["thing"])
    path = _name(has.get("path") or "")
    return Ban(
        things=tuple(thing.strip() for thing in things),
        verb=(has.get("verb") or "").lower(),
        bare=(has.get("how") or "").lower() in ("bare", "plain", "raw", "generic", "naked"),
        instead=_name(has.get("instead") or has.get("then") or ""),
        within=path if place == "within" else "",
        outside=path if place == "outside" else "",
        swap=swap,
        why=has.get("why") or "",
        told=not swap or bool(has.get("verb")),
    )


def _name(said: str) -> str:
    return said.strip("`\"'").rstrip(".,;:!") or said
