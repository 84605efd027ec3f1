"""Puts an entry before the agent at its moment, out of a table that was prepared for the project.

Standard library only. Runs isolated (`-I -S`) as the package `hook.cues` below `STATE`.
"""
