/*
 * The medical system in Promela, with unbounded, unordered channels.
 *
 * expected: holds
 */
mtype = { HQ, AR, HA, AA };
async chan ch0, ch1, ch2 of { mtype };

/* A derived message keeps the provenance of its source. */
inline answer(to, from) { to = (from == HQ -> HA : HA) }
inline confirm(to, from) { to = (from == AR -> AA : AA) }

active proctype Patient() {
  mtype p2, p3;
  do
  :: ch0!HQ
  :: ch0!AR
  :: ch1?p2;
     if
     :: p2 == HA -> p3 = p2
     :: else
     fi
  od
}

active proctype Secretary() {
  mtype s1, s2;
  do
  :: ch0?s1;
     if
     :: s1 == HQ -> ch2!s1
     :: else -> confirm(s2, s1); ch1!s2
     fi
  od
}

active proctype Doctor() {
  mtype d1, d2;
  do
  :: ch2?d1; answer(d2, d1);
     if
     :: ch1!d2
     :: ch2!d2
     fi
  od
}

provenance {
  language;
  property answered: provenance(Patient.p3) in eps | Patient Secretary Doctor+;
}
