"""The only code an agent waits for: a shell script, a guard and cues of the standard library.

What lies here is copied to `STATE/hook/` by `place` and runs there without asides.
"""
