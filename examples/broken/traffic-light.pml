/* expected: promela/missing-separator 14:26
   expected: promela/foreign-keyword 21:3
   expected: promela/mismatched-end 24:3 */

/* Three mistakes that a reader of C might make. All are reported in one run, each with its place and a hint. */

mtype = { red, green, yellow };

mtype light = red;

active proctype Light() {
  do
  :: light == red ->
     printf("drive\n")   light = green
  :: light == green -> light = yellow
  :: light == yellow -> light = red
  od
}

active proctype Car() {
  while (light != green);
  if
  :: light == green -> printf("go\n")
  od
}
