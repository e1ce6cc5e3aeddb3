/*
 * Two customers buy the last item of a shop that reads its stock before writing it.
 *
 * expected: violated (assertion)
 * expected with -D RESERVE: holds, 13 states
 */
byte stock = 1;
byte sold;

active [2] proctype Customer() {
#ifdef RESERVE
  atomic {
    if
    :: stock > 0 -> stock--; sold++
    :: else
    fi
  }
#else
  byte seen;
  seen = stock;
  if
  :: seen > 0 -> stock = seen - 1; sold++
  :: else
  fi;
#endif
  assert(sold <= 1)
}
