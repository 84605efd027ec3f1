"""One resident process for each user; `app.py` is the only place where rooms meet."""
