/* expected: violated (ltl)
   expected with -D TICKETS: holds, 84 states */

/*
 * A counter with one clerk and two customers. The clerk serves any waiting customer; nothing prevents it from serving the
 * same one every time, so the other can wait forever: an execution with a loop violates
 * `served`. With TICKETS the clerk serves in order of arrival.
 */

#ifdef TICKETS
chan line = [2] of { byte };
#endif
bool waiting[2], called[2];

active [2] proctype Customer() {
  do
  :: atomic {
       waiting[_pid] = true;
#ifdef TICKETS
       line!_pid
#endif
     };
     called[_pid];
     atomic { called[_pid] = false; waiting[_pid] = false }
  od
}

active proctype Clerk() {
  byte customer;
  do
#ifdef TICKETS
  :: line?customer -> called[customer] = true; !called[customer]
#else
  :: waiting[0] && !called[1] -> called[0] = true; !called[0]
  :: waiting[1] && !called[0] -> called[1] = true; !called[1]
#endif
  od
}

ltl served { [] (waiting[0] -> <> !waiting[0]) }
