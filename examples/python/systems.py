"""Stands for your own systems: each function says what it did."""

MAILS = [
    {"to": "kim@example.com", "subject": "Your invoice", "body": "It is attached.\nThank you."},
    {"to": "everybody@example.com", "subject": "We have moved", "body": "Our new address is below."},
]
STATEMENTS = [
    "SELECT count(*) FROM customers WHERE active = 0",
    "DELETE FROM customers WHERE active = 0",
]


def deploy(version):
    print(f"deployed {version}")


def refund(order, amount):
    print(f"refunded {amount} EUR of {order}")


def send(to, subject, body):
    print(f'sent "{subject}" to {to}')


def read(sql):
    """A connection that may only read. Raises PermissionError for anything else."""
    if not sql.upper().startswith("SELECT "):
        raise PermissionError("This connection may only read.")
    print(f"read: {sql}")


def write(sql):
    print(f"wrote: {sql}")


def needs_restart_since():
    """Since when a service has needed a restart."""
    return "2026-11-29T02:10"


def restart(service):
    print(f"restarted {service}")
