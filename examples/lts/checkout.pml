/* expected: holds, 2 states
   A checkout that a customer may cancel until the payment is confirmed. */
mtype = { pay, cancel, confirm };
chan customer = [0] of { mtype };
chan bank = [0] of { mtype };

active proctype Checkout() {
end:
  do
  :: customer?pay ->
     if
     :: bank?confirm
     :: customer?cancel
     fi
  :: customer?cancel
  od
}

active proctype Customer() {
end:
  do
  :: customer!pay
  :: customer!cancel
  od
}

active proctype Bank() {
end:
  do
  :: bank!confirm
  od
}
