from typing import Annotated, TypedDict

from beckon_client import protect
from systems import refund


class Edit(TypedDict):
    amount: Annotated[int, {"minimum": 1, "maximum": 80}]


# The person may change the amount; the refund is what was shown last.
refund_after_yes = protect(
    refund, label="Refund", edit=Edit, subject=lambda order, amount: order
)
outcome = refund_after_yes("order-7", 80)
print(outcome.status)
