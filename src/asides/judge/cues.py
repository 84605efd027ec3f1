"""Turns of phrase in later words that bear on an earlier rule: what is over, allowed, limited or insisted on.

None of them decides alone; they are signs that are weighed (`kinship`).
"""

from __future__ import annotations

import re

_BETWEEN = re.compile(r"\s+\|\s+|\n\s*")


def _cue(phrases: str, *, before: str = "", marks: str = "") -> re.Pattern[str]:
    """Returns what finds any of the phrases as whole words, or any of the marks."""
    anyone = "|".join(phrase for phrase in _BETWEEN.split(phrases.strip()) if phrase)
    return re.compile(rf"{before}\b(?:{anyone})\b" + (f"|{marks}" if marks else ""), re.IGNORECASE)


# It is otherwise from now on.
TURNS = _cue(
    r"""
    (?<=\w )now(?! that| let) | now(?!,| let| that| for | about | to )
    nowadays | from (?:now|here|today) on(?:wards)? | as of | going forward | no longer
    any ?more | any longer | after all | switch(?:ed|ing)?
    mov(?:e|ed|ing) (?:to|from|off|away|back|over) | moved | chang(?:e|ed|ing) (?:to|my mind)
    migrat(?:ed|ing) | (?:go|going|went|we're|we are|are|is|i'm) back | (?<!fall )(?<!falls )back to
    replac(?:es|ed|ing) | renam(?:e|ed) | turns? out | (?:we've )?gone (?:up|down|to) | upgraded
    bump(?:ed)? (?:it )?to | raise (?:it|the) | raised to | lowered to | won
    since (?:yesterday|last|today|mon|tue|wed|thu|fri|sat|sun|we) | no more | used to | ab jetzt
    ab sofort | nicht mehr | jetzt | stellen um | umgestellt | swap(?:ped|ping) | traded | gave up
    giving up | other way round | maintenant | désormais | n'existe plus | plus de | ya no | ahora
    (?:policy|plan|plans|rule|rules|naming|convention|requirement|requirements) (?:has |have )?changed
    go ahead with | right away | is due | since (?:the|v?\d) | by now | these days | we've got
    теперь | больше не | 现在 | 以后
    """,
    before=r"(?<!not )(?<!right )(?<!for )(?<!just )",
    marks=r"不再|→",
)

# Something is no longer there.
GONE = _cue(
    r"""
    gone | dead | out | history | dropped | removed | retired | deprecated | deleted | frozen | archived
    got rid of | discontinued | end of life | eol | sunset | shut down | phased out | closed
    unmaintained
    abandoned | outdated | dissolved
    (?:being|gets?|was|were|is|are) (?:removed|dissolved|thrown out|ripped out|replaced|cancelled|killed)
    going away | went away | ripp(?:ed|ing) out | kicked | we left | has left | left | cancelled
    obsolete | replaced | isn't (?:needed|used|there) | no longer (?:exists?|there|used|on) | there's no
    not on
    """,
)

# A measure of which there can be one only.
QUANTITY = _cue(
    r"""
    under | below | above | over | at most | at least | max(?:imum)? | min(?:imum)?
    limit(?:ed)? | limits
    up to | within | (?:no )?(?:more|longer|less|fewer) than | lines? | columns? | characters
    chars | spaces?
    width | length | version | timeouts? | coverage | percent | seconds? | ms | minutes? | hours?
    days? | size
    budget | ratio | contrast | rate | threshold | kb | mb | gb | hz | khz | weeks? | times
    attempts | retries
    """,
    marks="%",
)

# It may be.
PERMITS = _cue(
    r"""
    ok | okay | fine | may(?! not) | can(?!'t| not) | could(?!n't| not) | allowed | welcome
    feel free | possible | go for | good
    right | acceptable | doesn't matter | no problem | as (?:often|much|many) as | up to you
    without asking | don't bother | no need | darf | dürfen | darfst | kann | kannst | puedes | pueden
    peut | peux | может | можно | 可以
    """,
    before=r"(?<!not )(?<!isn't )(?<!aren't )(?<!never )",
)

# It holds for a part only, or beside something else.
LIMITS = _cue(
    r"""
    except | exception | only (?:for|in|on|when|if|the) | elsewhere | otherwise | though | apart from
    the rest | stays? | still | nothing else | nowhere else | everywhere else | others? | until | unless
    of course | obviously | as well | also | too | one-off | just the | remains? | keeps? | may
    bleib(?:t|en) | allerdings | außer | nur | sauf | salvo | excepto
    """,
)

# It is said once more, or with reproach.
INSISTS = _cue(
    r"""
    again | i said | i told | told you | as (?:i said|usual|always) | always | how (?:often|many)
    remember | keep telling | like i said | please | pls | plz | begging | careful | i see
    you (?:made|forgot|started|skipped|opened|pushed|wrote|added|just|did|put|used)
    why (?:are|is|did|do) | every time | bitte | immer | siempre | toujours | ever | cmon | come on
    stop
    """,
    marks=r"[!?]{1,3}|\.\.\.|…",
)

# It need not be done.
DROPS = _cue(
    r"""
    no (?:more )?need | needs? no | don't (?:have|need) to | don't need
    doesn't (?:have|need|hold|matter) | needn't | not (?:necessary|required|needed)
    isn't (?:necessary|required|needed) | aren't (?:necessary|required|needed) | can stop
    stop (?:asking|telling|doing) | don't bother | won't (?:do|need) | not going to | forget | scrap
    ignore | disregard | never ?mind | drop | skip | vergiss | brauchst | no hace falta | plus besoin
    """,
)

# It speaks of what may be or come.
SUPPOSES = _cue(
    r"""
    if | when | whenever | once | until | till | unless | before | after(?! all) | while | maybe | might
    could | would | eventually | someday | soon | later | consider | thinking | whether | wish
    tomorrow | wenn | sobald | falls | cuando | quand
    """,
)
