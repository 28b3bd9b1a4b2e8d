from systems import STATEMENTS, write

for sql in STATEMENTS:
    write(sql)
