from systems import needs_restart_since, restart

if needs_restart_since():
    restart("payments")
