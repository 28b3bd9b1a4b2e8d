from systems import refund

refund("order-7", 80)
