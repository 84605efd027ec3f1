"""Tells whether a tool call writes where only asides and the developer should write.

Standard library only. Runs isolated (`-I -S`) as the package `guard` below `STATE/hook/`.
"""
