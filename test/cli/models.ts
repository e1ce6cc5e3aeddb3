/** Small models with known answers. */

export const holding = `byte x;
active proctype A() { do :: x < 5 -> x++ :: x == 5 -> break od }
`;

export const asserting = `chan c = [0] of { byte };
byte got;
active proctype S() { c!1; c!2 }
active proctype R() { byte v; c?v; got = v; c?v; got = got + v; printf("got %d\\n", got); assert(got == 4) }
`;

export const deadlocking = `bit go;
active proctype A() { (go == 1) }
active proctype B() { go = 0 }
`;

/** Two errors of different kinds, and unreachable code. */
export const failingTwice = `byte a[2]; byte i;
active proctype P() {
  if
  :: assert(i == 1)
  :: i = 2; a[i] = 1
  fi;
  do :: false -> i = 7 od
}
`;

export const unsupported = `byte x;
active proctype A() { x = 1 }
active D_proctype B() { x = 2 }
`;

export const broken = `byte x
active proctype A() { y = 1; z = 2 }
`;

/** Too many states to finish: for budgets and Ctrl-C. */
export const endless = `int a, b, c;
active proctype A() { do :: a + b + c != -1 -> a++ od }
active proctype B() { do :: a + b + c != -1 -> b++ od }
active proctype C() { do :: a + b + c != -1 -> c++ od }
`;

export const choosing = `byte x;
active proctype A() { do :: x < 3 -> x++; printf("up %d\\n", x) :: x > 0 -> x--; printf("down %d\\n", x) od }
`;
