from beckon_client import protect
from systems import needs_restart_since, restart

# Started every ten minutes: it asks in the night, ends at once, and restarts after the yes of the morning.
since = needs_restart_since()
restart_after_yes = protect(
    restart,
    label="Restart",
    subject=lambda service: f"{service} since {since}",
    life_s=12 * 60 * 60,
    wait_s=1,
)
outcome = restart_after_yes("payments")
print(outcome.status)
