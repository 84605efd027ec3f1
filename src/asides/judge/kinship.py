"""How likely a later saying repeats, replaces or takes back an earlier one: signs of the pair, weighed."""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

from rapidfuzz.fuzz import partial_ratio, token_set_ratio, token_sort_ratio

from asides.judge.choices import choices
from asides.judge.kinweights import BIAS, WITH_VECTORS, WORDS_ONLY
from asides.judge.likeness import changed, flipped, read, same, stem
from asides.judge.naming import WITHIN, Naming, Slot
from asides.judge.reversal import reverses
from asides.judge.rivals import OPPOSITES, RIVALS
from asides.judge.saying import hear
from asides.judge.trade import COMMON, COMMON_WEIGHT, ELEMENTS, SHORT
from asides.judge.words import vocabulary

Closeness = Callable[[str, Sequence[str]], Sequence[float] | None]
"""Returns the cosine, -1 to 1, of a text to each of others; None where there are no vectors now."""

UNHEARD_CLOSENESS = 0.6  # cosine under which a saying that shares no word does not end another
STRANGERS_CLOSENESS = 0.4  # cosine under which sayings without a shared word or rival names are not weighed
NAMING = vocabulary(
    "name names named naming call called start starts begin begins end ends prefix suffix prefixed"
)
CERTAIN = 0.9  # for a fixed form
MOST_LOST = (
    1.5  # how much more than the choice itself an earlier saying may say and still be ended by another choice
)
# Of these one thing can have several, each asked for by itself.
SEVERAL = frozenset(
    stem(word)
    for word in vocabulary(
        "decorator annotation import module header hook middleware plugin tag label comment"
    )
)
LANGUAGES = frozenset(
    stem(SHORT.get(word, word))
    for word in vocabulary(
        "python golang rust java javascript typescript ruby php shell bash swift kotlin scala"
    )
)
INSTEAD = re.compile(
    r"\b(?:instead|rather|replac(?:e|es|ed|ing)|no longer|any ?more|any longer|switch(?:ed|ing)?"
    r"|swap(?:ped|ping)?"
    r"|mov(?:e|ed|ing) (?:to|from|off|away|over)|chang(?:e|ed|ing) (?:to|from)|only|just one|drop(?:ped)?)\b",
    re.IGNORECASE,
)
LEAST_SHARED = 4  # letters at the beginning from which two words are forms of one


@dataclass(frozen=True, slots=True, kw_only=True)
class Kinship:
    """How likely, 0 to 1, a later saying repeats an earlier one (`same`), or ends it (`ends`)."""

    same: float
    ends: float


NEITHER = Kinship(same=0.0, ends=0.0)


def kinship(later: str, earlier: str, *, closeness: float | None) -> Kinship:
    """Returns how a later saying stands to an earlier one.

    `closeness`: the cosine of the vectors of both, -1 to 1; None: words only, with weights of their own.
    """
    if _strangers(later, earlier, closeness):
        return NEITHER
    if names_again(later, earlier):
        return Kinship(same=CERTAIN, ends=0.0)
    if _renames(hear(later).naming, hear(earlier).naming):
        return Kinship(same=0.0, ends=CERTAIN)
    found = signs(later, earlier, closeness=closeness)
    weights = WORDS_ONLY if closeness is None else WITH_VECTORS
    same, ends = weights[BIAS]
    for name, value in found.items():
        if value:
            of_same, of_ends = weights[name]
            same += of_same * value
            ends += of_ends * value
    most = max(0.0, same, ends)
    shares = [math.exp(one - most) for one in (0.0, same, ends)]
    spared = _keeps_some(hear(later).naming, hear(earlier).naming) or _stands_beside(later, earlier, found)
    ends = 0.0 if spared or _cannot_end(found) else shares[2] / sum(shares)
    return Kinship(
        same=0.0 if _cannot_be_same(found) else shares[1] / sum(shares),
        ends=max(ends, CERTAIN) if _takes_the_place(later, earlier, found) else ends,
    )


def _renames(new: Naming, old: Naming) -> bool:
    """Tells whether a saying fills every slot that an earlier one fills, with other literals."""
    if not old.filled or old.loose or not new.sure:
        return False
    for slot, literals in old.filled.items():
        instead = _filling(new, slot)
        if slot.place == WITHIN or not instead or instead & literals:
            return False
    return True


def _filling(new: Naming, slot: Slot) -> frozenset[str]:
    """Returns the literals that a saying gives a slot; one for functions speaks for those in Python too."""
    plain = replace(slot, things=slot.things - LANGUAGES)
    return new.filled.get(slot) or new.filled.get(plain, frozenset())


def names_again(later: str, earlier: str) -> bool:
    """Tells whether a saying fills slots as an earlier one fills them, and holds no other literal."""
    new, old = hear(later).naming, hear(earlier).naming
    if not new.filled or new.loose or not new.sure or not old.sure:
        return False
    return all(old.filled.get(slot) == literals for slot, literals in new.filled.items())


def _keeps_some(new: Naming, old: Naming) -> bool:
    """Tells whether an earlier naming rule says something that a later one does not name otherwise."""
    return bool(new.filled) and not all(_filling(new, slot) for slot in old.filled)


def _stands_beside(later: str, earlier: str, found: dict[str, float]) -> bool:
    """Tells whether a saying asks for one more of what there may be several of, or alone for a name."""
    new, old = hear(later), hear(earlier)
    common = old.naming.filled.keys() & new.naming.filled.keys()
    if not found["literals_differ"] or any(slot.place != WITHIN for slot in common):
        return False
    unlike = bool(new.naming.filled) and bool(old.naming.loose) and not old.naming.filled
    if not unlike and not new.words & old.words & SEVERAL:
        return False
    return not (new.over or new.drops or new.gone or new.denied) and INSTEAD.search(later) is None


def _takes_the_place(later: str, earlier: str, found: dict[str, float]) -> bool:
    """Tells whether a saying only names, as what holds now, another of the kind that the earlier chooses.

    "use bun now" after "use pnpm for installs"; not after a rule that says much else.
    """
    if not found["turns"] or found["limits"] or found["supposes"] or found["area_new"] or found["denies_new"]:
        return False
    new, old = hear(later), hear(earlier)
    rivals = _stand_for(new.names, old.names, RIVALS)
    replaced = frozenset(map(stem, _stand_for(old.names, new.names, RIVALS)))
    if not rivals or not replaced & old.affirmed:
        return False
    shared_new, shared_old = _matched(new.words, old.words)
    rest = new.words - shared_new - frozenset(map(stem, rivals))
    return not rest and _weight(old.words - shared_old - replaced - old.denied) <= MOST_LOST


def _strangers(later: str, earlier: str, closeness: float | None) -> bool:
    """Tells, cheaply, whether two sayings have nothing in common: most of what stands in a project."""
    if closeness is not None and closeness >= STRANGERS_CLOSENESS:
        return False
    new, old = hear(later), hear(earlier)
    if _stand_for(new.names, old.names, RIVALS) or _stand_for(new.names, old.names, OPPOSITES):
        return False
    return not _matched(new.words, old.words)[0]


def _cannot_be_same(found: dict[str, float]) -> bool:
    """Tells whether a sign alone rules out a repeat, however alike the words are."""
    if found["slot_differs"] or found["literals_differ"]:
        return True
    if found["numbers_differ"] or found["opposite"] or found["place_swapped"] or found["area_swapped"]:
        return True
    return bool(found["against_all"] and not found["insists"])


def _cannot_end(found: dict[str, float]) -> bool:
    """Tells whether a sign alone rules out that the earlier saying ends: an exception, or another matter."""
    turning = found["turns"] or found["gone"]
    if found["slot_differs"] and not found["over"]:
        return True
    if found["subject_new"] and (found["permits"] or found["drops"]) and not turning:
        return True
    if (
        found["area_new"]
        or (found["area_swapped"] and not turning)
        or (found["supposes"] and not found["takes_left"])
    ):
        return True
    # Ports, issues and the like have siblings; a measure has one value.
    if found["numbers_differ"] and not turning and not found["numbers_quantity"]:
        return True
    return bool(not found["shared"] and not found["rival"] and found["closeness"] < UNHEARD_CLOSENESS)


def signs(later: str, earlier: str, *, closeness: float | None) -> dict[str, float]:
    """Returns the signs of a pair by name."""
    new, old = hear(later), hear(earlier)
    shared_new, shared_old = _matched(new.words, old.words)
    fresh, lost = new.words - shared_new, old.words - shared_old
    agree = _matched(new.affirmed, old.affirmed)[0] | _matched(new.denied, old.denied)[0]
    conflict = (_matched(new.affirmed, old.denied)[0] | _matched(new.denied, old.affirmed)[0]) - agree
    rivals = _stand_for(new.names, old.names, RIVALS)
    opposites = _stand_for(new.names, old.names, OPPOSITES)
    rival, opposite = bool(rivals), bool(opposites)
    numbers = bool(old.numbers) and bool(new.standing_numbers)
    differs = (
        numbers and bool(old.numbers - new.standing_numbers) and bool(new.standing_numbers - old.numbers)
    )
    share = _weight(shared_new) / max(1.0, _weight(new.words))
    share_old = _weight(shared_old) / max(1.0, _weight(old.words))
    swapped = min(len(rivals) + len(opposites), 2)
    share_with_rivals = (_weight(shared_new) + swapped) / max(1.0, _weight(new.words))
    topic = min(1.0, max(share_with_rivals, share_old))
    if closeness is not None:
        topic = (closeness + topic) / 2
    place_lost = old.places - _matched(new.words, old.places)[1]
    literals = bool(old.literals - new.literals) and bool(new.literals - old.literals)
    elements_new, elements_old = (new.words - old.words) & ELEMENTS, (old.words - new.words) & ELEMENTS
    turns = new.turns and not old.turns
    turning = turns or new.gone
    quantity = new.quantity or old.quantity
    against = len(conflict) / max(1, len(conflict) + len(agree))
    place = new.places - _matched(new.places, old.words)[0]
    subject = new.subjects - _matched(new.subjects, old.words)[0]
    about_old = bool(shared_new) and not subject and not place
    on_subject = _matched(new.subjects, old.words)[0]
    reading_new, reading_old = read(later), read(earlier)
    chosen = [(c.chosen, c.rejected) for c in choices(later)]
    once = [(c.chosen, c.rejected) for c in choices(earlier)]
    takes = {t for c, _ in chosen for t in c}
    leaves = {t for _, r in chosen for t in r}
    took = {t for c, _ in once for t in c}
    left = {t for _, r in once for t in r}
    return {
        "closeness": closeness or 0.0,
        "close": max(0.0, (closeness or 0.0) - 0.6),
        "topic": topic,
        "topic_high": max(0.0, topic - 0.65),
        "permits_topic": new.permits * topic,
        "limits_topic": new.limits * topic,
        "rival_permits": float(rival and new.permits),
        "turns_limits": float(turning and new.limits),
        "topic_low": max(0.0, 0.45 - topic),
        "shared_of_new": share,
        "shared_of_old": share_old,
        "shared": math.log1p(_weight(shared_new)),
        "shared_none": float(not shared_new),
        "fresh": math.log1p(_weight(fresh)),
        "lost": math.log1p(_weight(lost)),
        "both_differ": math.log1p(min(_weight(fresh), _weight(lost))),
        "letters_set": token_set_ratio(new.text, old.text) / 100,
        "letters_sort": token_sort_ratio(new.text, old.text) / 100,
        "letters_part": partial_ratio(new.text, old.text) / 100,
        "numbers_differ": float(differs),
        "numbers_differ_topic": differs * topic,
        "literals_differ": float(literals),
        "literals_differ_topic": literals * topic,
        "literals_differ_turning": float(literals and turning),
        "literals_named": float(literals and bool(new.names & NAMING) and bool(old.names & NAMING)),
        "slot_differs": float(_elsewhere(new.naming, old.naming)),
        "literals_same": float(bool(old.literals & new.literals)),
        "element_swapped": float(bool(elements_new) and bool(elements_old)),
        "element_new": float(bool(elements_new)),
        "numbers_quantity": float(differs and quantity),
        "numbers_same": float(numbers and not differs),
        "numbers_new": float(bool(new.numbers - old.numbers)),
        "agree": math.log1p(len(agree)),
        "over": math.log1p(_weight(_matched(new.over, old.affirmed)[1])),
        "over_denied": float(bool(_matched(new.over, old.denied)[0])),
        "over_other": float(bool(new.over) and not _matched(new.over, old.words)[0]),
        "rejects": math.log1p(_weight(_matched(new.denied, old.affirmed)[1] - agree)),
        "readmits": math.log1p(_weight(_matched(new.affirmed, old.denied)[1] - agree)),
        "readmits_again": float(bool(_matched(new.affirmed, old.denied)[1] - agree) and "again" in new.names),
        "readmits_turning": float(bool(_matched(new.affirmed, old.denied)[1] - agree) and turning),
        "rejects_turning": float(bool(_matched(new.denied, old.affirmed)[1] - agree) and turning),
        "conflict": math.log1p(len(conflict)),
        "against": against,
        "against_topic": against * topic,
        "against_turning": against * turning,
        "against_insisting": against * new.insists,
        "against_permits": against * new.permits,
        "rival": float(rival),
        "rival_topic": rival * topic,
        "rival_turning": float(rival and turning),
        "opposite": float(opposite),
        "opposite_topic": opposite * topic,
        "turns": float(turns),
        "turns_topic": topic * turns,
        "gone": float(new.gone),
        "gone_topic": topic * new.gone,
        "permits": float(new.permits),
        "permits_turning": float(new.permits and (turns or "again" in new.names)),
        "permits_denied": float(new.permits and bool(_matched(new.words, old.denied)[0])),
        "permits_old": float(new.permits and about_old),
        "permits_old_denied": float(new.permits and about_old and bool(old.denied)),
        "turns_old": float(turning and about_old),
        "place_swapped": float(bool(place) and bool(place_lost)),
        "against_all": float(bool(conflict) and not agree),
        "limits": float(new.limits),
        "limits_shared": float(new.limits) * share,
        "insists": float(new.insists),
        "insists_topic": new.insists * topic,
        "drops": float(new.drops),
        "drops_topic": topic * new.drops,
        "denies_new": float(bool(new.denied)),
        "denies_old": float(bool(old.denied)),
        "denial_differs": float(bool(new.denied) != bool(old.denied)),
        "denial_differs_topic": float(bool(new.denied) != bool(old.denied)) * topic,
        "place_new": float(bool(place)),
        "place_permits": float(bool(place) and (new.permits or new.limits)),
        "subject_new": float(bool(subject)),
        "subject_new_permits": float(bool(subject) and (new.permits or new.limits or new.drops)),
        "subject_shared": float(bool(on_subject)),
        "takes_left": float(bool(takes & left)),
        "leaves_taken": float(bool(leaves & took)),
        "takes_taken": float(bool(takes & took) or bool(leaves & left)),
        "leaves": float(bool(leaves)),
        "same_words": float(same(reading_new, reading_old)),
        "flipped": float(
            flipped(reading_new, reading_old) or changed(reading_new, reading_old, turning=False)
        ),
        "reverses": float(reverses(later, earlier)),
        "long_new": math.log1p(new.length),
        "long_old": math.log1p(old.length),
        "asks": float(new.asks),
        "supposes": float(new.supposes and not old.supposes),
        "area_new": float(bool(new.placed_areas - old.areas)),
        "area_swapped": float(bool(new.areas - old.areas) and bool(old.areas - new.areas)),
    }


def _elsewhere(new: Naming, old: Naming) -> bool:
    """Tells whether a naming rule says nothing of what another says: of other things, or of the other end."""
    return bool(new.filled) and bool(old.filled) and not new.filled.keys() & old.filled.keys()


def spoken_of(subject: str, body: str) -> float:
    """Returns the share of what a subject names that a body speaks of, 0 to 1; 0 where it names nothing."""
    named, spoken = hear(subject).words, hear(body).words
    return _weight(_matched(named, spoken)[0]) / _weight(named) if named else 0.0


def _weight(words: frozenset[str]) -> float:
    """Returns how much words say about what is spoken of."""
    return sum(COMMON_WEIGHT if word in COMMON else 1.0 for word in words)


def _matched(new: frozenset[str], old: frozenset[str]) -> tuple[frozenset[str], frozenset[str]]:
    """Returns the words of each side that have a partner on the other, forms of one word counted as one."""
    both = new & old
    rest_new, rest_old = new - both, old - both
    if not rest_new or not rest_old:
        return both, both
    found_new, found_old = set(both), set(both)
    for one in rest_new:
        for other in rest_old:
            if _forms(one, other):
                found_new.add(one)
                found_old.add(other)
    return frozenset(found_new), frozenset(found_old)


def _forms(one: str, other: str) -> bool:
    """Tells whether two stems are likely forms of one word: config, configured."""
    short, long = sorted((one, other), key=len)
    if len(short) < LEAST_SHARED or not short.isalpha() or not long.isalpha():
        return False
    head = max(LEAST_SHARED, len(short) - 2)
    if long[:head] == short[:head] and len(long) - len(short) <= 5:
        return True
    return len(short) >= 5 and short in long


def _stand_for(
    new: frozenset[str], old: frozenset[str], families: dict[str, frozenset[str]]
) -> frozenset[str]:
    """Returns what the new side names, and the old does not, of a family of which the old names one."""
    fresh = new - old
    return frozenset(other for name in old for other in families.get(name, frozenset()) & fresh)
