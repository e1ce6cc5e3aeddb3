/* expected: holds */
/*
 * A store with fencing: the token of the last write never decreases.
 * A specification of examples/code/systems/lease-lock.ts.
 */
byte last = 0;

active proctype Store() {
  byte token;
end:
  do
  :: select(token : 0 .. 5);
     if
     :: token >= last -> last = token
     :: else
     fi
  od
}
