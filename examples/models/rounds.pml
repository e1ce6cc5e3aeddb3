/* expected: violated (assertion) */
/* A byte wraps around after 255 rounds. With --integers unbounded, which lets no number wrap, the assertion is proved. */
byte rounds = 1;

active proctype Counter() {
end:
  do
  :: rounds++;
     assert(rounds > 0)
  od
}
