from beckon_client import protect
from systems import STATEMENTS, read, write

# What the database itself refuses to a reader is asked about.
write_after_yes = protect(write, label="Change the database", risk="high")
for sql in STATEMENTS:
    try:
        read(sql)
    except PermissionError:
        outcome = write_after_yes(sql)
        print(outcome.status, getattr(outcome, "note", None) or "")
