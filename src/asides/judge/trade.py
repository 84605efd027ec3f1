"""Words of the trade: short forms, what is too common to say much, and what says how but not what."""

from __future__ import annotations

from asides.judge.likeness import stem
from asides.judge.words import vocabulary

# What is written first is what the others stand for.
_FORMS = """
    full short:
    typescript ts
    javascript js
    python py
    go golang
    ruby rb
    database db dbs
    postgres pg postgresql psql
    kubernetes k8s
    terraform tf
    github gha
    repository repo repos
    pullrequest pr prs mr
    docs doc documentation dokumentation
    production prod
    development dev
    environment env envs
    configuration config configs conf
    dependency deps dep dependencies package packages
    library lib libs libraries
    standardlibrary stdlib
    test spec specs testing tests
    function func funcs fn
    parameter param params
    argument arg args
    folder dir dirs directory directories
    message msg msgs
    interface ui
    frontend fe
    backend be
    authentication auth
    credentials creds
    millisecond ms milliseconds
    second sec secs s
    minute min mins
    id ids
    variable vars var
    constant const consts
    text txt
    image img imgs
    button btn
    information info
    please pls
    commit commits committing
    migration migrations
    color colour
    upper uppercase caps
    lower lowercase
    indent indentation indents
    max maximum most
    min minimum least
    emoji emojis
    english englisch inglés anglais
    german deutsch alemán
    spanish español spanisch
    french français französisch
    chinese 中文 chinesisch
    russian русски
    deploy deployment deployments deploys
"""
SHORT = {form: line.split()[0] for line in _FORMS.strip().splitlines() for form in line.split()[1:]}
# The commonest words in 4,045 turns of developers (train/data/written.jsonl, more.jsonl): to share one says
# little.
COMMON = frozenset(
    stem(word)
    for word in vocabulary(
        """
        test run file first before time look change write see list old line second commit code show name
        work last start take error page put read table fix add number check tell log give build leave
        ask call come branch user open stay fail good answer think text next version say function minute
        delete day push step row hand doc import touch wrong merge find module later repository return
        folder close plan end explain api app right request pullrequest type small ticket main move wait
        customer comment key dependency database order header skip empty data job rename button mean
        rest cache try report message restart script export pass update release load max min well happen
        team diff configuration send lock service class environment server window flag endpoint share
        deploy set edit tag command id column part review break copy point search long upload install
        hour ci count print side feature screen live model field top pick real support save full queue
        public link result output path client local case
        """
    )
)
# Parts of code and of work: a rule for one of them says nothing about another.
ELEMENTS = frozenset(
    stem(word)
    for word in vocabulary(
        """
        function method class variable constant argument parameter attribute property import decorator
        annotation docstring comment field column row table index view endpoint route header cookie key
        type enum interface struct trait macro component hook prop slot fixture mock snapshot branch
        commit tag release changelog readme title description label ticket page screen form button image
        icon font color log metric alert dashboard job queue topic event message email report invoice
        migration seed query script secret token password session request response error exception
        warning animation sound texture shader prefab scene
        """
    )
)
COMMON_WEIGHT = 0.35  # weight of a common word against that of any other

# Words that turn, permit, insist or take back; they say how, not what.
MANNER = vocabulary(
    """
    now again please stop always never no not use using used we're i'm any more anymore longer on ok
    okay fine allowed is are was here there only just also too still everything anything nothing
    everywhere else though of course after all instead back went moved moving switched switching dropped
    gone out dead history replaced replaces since today yesterday should need needs needed want like
    said told why many often sure keep thing things rule rules about forget scrap drop ignore disregard
    mind necessary required per one ones way new changed turns turn than rather over not don't dont
    doesn't doesnt isn't aren't can't cannot won't without avoid none yes no even enough ever everyone
    every each whatever whichever like go goes going gets get got bitte immer ab jetzt nicht kein keine
    keinen mehr toujours jamais pas siempre nunca ya no lo que wir ich der up into through both own same
    other already off until till yet u ill that's thats lol lmao thank thanks under while whether whole
    twice once nobody somebody someone something anybody alone half oh nice stuff let lot die das den im
    in und auch was über le la les de el en
    """
)
