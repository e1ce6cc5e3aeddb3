/* expected with --engine llsplat: violated (assertion)
   An automaton over nine characters, then a keyword: one of more than 10^16 paths shows the error, and one formula for each round finds it. */
#include <everypath.h>

extern char __VERIFIER_nondet_char(void);

int main(void) {
  char c, s[6];
  int state = 0;
  for (;;) {
    c = __VERIFIER_nondet_char();
    symbolic(s, sizeof s, "s");
    if (c == '[' && state == 0) state = 1;
    if (c == '(' && state == 1) state = 2;
    if (c == '{' && state == 2) state = 3;
    if (c == '~' && state == 3) state = 4;
    if (c == 'a' && state == 4) state = 5;
    if (c == 'x' && state == 5) state = 6;
    if (c == '}' && state == 6) state = 7;
    if (c == ')' && state == 7) state = 8;
    if (c == ']' && state == 8) state = 9;
    if (s[0] == 'r' && s[1] == 'e' && s[2] == 's' && s[3] == 'e' && s[4] == 't' && s[5] == 0) check(state != 9);
  }
}
