import sys

from beckon_client import protect
from systems import deploy

# One yes deploys a version once, also if this program is started again.
deploy_after_yes = protect(
    deploy,
    label="Deploy",
    effect="Customers get this version at once.",
    risk="high",
    subject=lambda version: f"deploy-{version}",
)
outcome = deploy_after_yes(sys.argv[1] if len(sys.argv) > 1 else "1.4.2")
print(outcome.status)
