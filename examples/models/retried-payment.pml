/* expected: violated (assertion)
   expected with -D IDEMPOTENT: holds, 16 states */

/*
 * A client pays for one order over a network that may lose messages. If no reply arrives, it retries:
 * the request may be lost, or only the reply. If the bank books every request that
 * arrives, a lost reply means that the customer pays twice.
 *
 * The repair recognises a repeated request by its order number: check with -D IDEMPOTENT.
 */

mtype = { pay, paid };

chan request = [1] of { mtype, byte };
chan reply = [1] of { mtype, byte };

byte booked; /* how often the customer's account was charged */

active proctype Bank() {
  byte order, last;

end: /* waiting for requests is a fine place to end */
  do
  :: request?pay(order) ->
#ifdef IDEMPOTENT
     if
     :: order == last -> skip /* booked before: only answer again */
     :: else -> booked++; last = order
     fi;
#else
     booked++;
#endif
     assert(booked <= 1);
     if
     :: reply!paid(order)
     :: printf("the reply is lost\n")
     fi
  od
}

active proctype Client() {
again:
  if
  :: request!pay(7)
  :: printf("the request is lost\n")
  fi;
  if
  :: reply?paid(7)
  :: timeout -> goto again
  fi
}
