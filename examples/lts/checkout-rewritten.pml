/* expected: holds, 2 states
   Its rewrite loses `cancel` while paying: `everypath compare` shows the experiment. */
mtype = { pay, cancel, confirm };
chan customer = [0] of { mtype };
chan bank = [0] of { mtype };

active proctype Checkout() {
end:
  do
  :: customer?pay ->
     if
     :: bank?confirm
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
