/** Values, arrays and records: see `cases.ts`. */
import { expectCases } from "../cases.js";

expectCases([
  {
    name: "values are cut to their types",
    text: `byte b = 255; short s = 32767; int i = 2147483647; bit t = 1; unsigned u : 3 = 7; bool f; init { b++; s++; i++; t = 2; u++; f = 2; assert(b == 0 && s == -32768 && i < 0 && t == 0 && u == 0); b = -1; s = 65535; u = 13; f = 3; assert(b == 255 && s == -1 && u == 5 && f == 1); b-- ; s--; assert(b == 254 && s == -2) }`,
    states: 17,
  },
  {
    name: "arguments and first values are cut",
    text: `byte g = 300; proctype P(byte x; bit y; short z) { byte l = 257; assert(x == 44 && y == 0 && z == -1 && l == 1) } init { assert(g == 44); run P(300, 2, 65535) }`,
    states: 6,
  },
  {
    name: "operators are those of C",
    text: `int a = -7, b = 2; byte r; init { assert(a / b == -3 && a % b == -1 && a * b == -14); assert(a << 1 == -14 && a >> 1 == -4 && (a & 3) == 1 && (a | 1) == -7 && (a ^ b) == -5); assert(~b == -3 && -a == 7 && !b == 0 && !(b - 2) == 1); r = (a < b -> 4 : 5); assert(r == 4); r = (a > b -> 4 : 5); assert(r == 5) }`,
    states: 9,
  },
  {
    name: "comparisons",
    text: `int a = 3; byte k; init { k = (a < 3) + 2 * (a <= 3) + 4 * (a > 3) + 8 * (a >= 3) + 16 * (a == 3) + 32 * (a != 3); assert(k == 26) }`,
    states: 4,
  },
  {
    name: "what decides is looked at first, the rest not",
    text: `byte z, x, a[2]; init { x = (z != 0 && 1 / z == 1); x = (z == 0 || a[7 + z] == 1); x = (z == 0 -> 3 : 1 / z); assert(x == 3); if :: z != 0 && a[z + 9] == 0 :: else fi }`,
    states: 7,
  },
  {
    name: "a division by zero on either side",
    text: `byte z, x; init { if :: x = 1 / z :: x = 1 % z :: x = 2; x = x / (x - 2) fi }`,
    states: 2,
    faults: ["division-by-zero", "division-by-zero", "division-by-zero"],
    isOurs: true,
  },
  {
    name: "elements stand apart, in words and across them",
    text: `bit a[40]; byte b[9]; short c[5]; int d[3]; byte i; int n; init { a[39] = 1; a[31] = 1; a[32] = 1; b[8] = 255; b[3] = 7; b[4] = 9; c[4] = -2; c[1] = 5; d[2] = -1; d[0] = 4; i = 31; assert(a[i] == 1 && a[i + 1] == 1 && a[i - 1] == 0 && a[i + 2] == 0 && a[i + 8] == 1); i = 3; assert(b[i] == 7 && b[i + 1] == 9 && b[i + 5] == 255 && b[i + 2] == 0); i = 1; assert(c[i] == 5 && c[i + 3] == -2 && d[i + 1] == -1 && d[i] == 0); b[i + 2] = 0; assert(b[3] == 0 && b[4] == 9); a[i + 30] = 0; assert(a[32] == 1 && a[31] == 0); d[i] = 6; assert(d[1] == 6 && d[0] == 4 && d[2] == -1) }`,
    states: 24,
  },
  {
    name: "the last index is in range, the next is not",
    text: `byte a[3], i = 2; init { a[i] = 1; i++; if :: a[i] = 1 :: i = a[i] :: a[i - 4] = 1 :: skip fi }`,
    states: 5,
    faults: ["array-bounds", "array-bounds", "array-bounds"],
    isOurs: true,
  },
  {
    name: "a narrow index",
    text: `bit i = 1; byte a[1], b[2]; init { b[i] = 1; if :: a[i] = 1 :: else; skip fi }`,
    states: 2,
    faults: ["array-bounds"],
    isOurs: true,
  },
  {
    name: "records in arrays and arrays in records",
    text: `typedef R { byte x; short y[2]; bit z }; R r[3]; byte i = 1; init { r[i].y[i] = -5; r[2].x = 9; r[0].z = 1; assert(r[1].y[1] == -5 && r[1].y[0] == 0 && r[i + 1].x == 9 && r[i].x == 0 && r[i - 1].z == 1); i = 3; if :: r[i].x = 1 :: r[0].y[i - 1] = 1 :: skip fi }`,
    states: 8,
    faults: ["array-bounds", "array-bounds"],
  },
  {
    name: "locals of each process are its own",
    text: `byte done; proctype P(byte me) { byte l[3]; l[me] = me; done++; done == 2; assert(l[me] == me && l[1 - me] == 0) } init { atomic { run P(0); run P(1) } }`,
    states: 23,
  },
  {
    name: "hidden variables tell no states apart",
    text: `hidden byte h; byte x; init { if :: h = 1 :: h = 2 :: h = 3 fi; x = 1; x = h }`,
    states: 13,
    isOurs: true,
  },
  {
    name: "mtype and bool",
    text: `mtype = { red, green }; mtype m = red; bool b; chan c = [1] of { mtype, bool }; init { c!green,true; c?m,b; assert(m == green && b); m = 0; assert(!m) }`,
    states: 7,
    isOurs: true,
  },
  {
    name: "a failed assertion goes on",
    text: `byte x; init { assert(x == 1); x = 1; assert(x == 2); x = 2 }`,
    states: 6,
    faults: ["assertion", "assertion"],
    isOurs: true,
  },
  {
    name: "printf computes what it prints",
    text: `byte a[2], i = 2; init { printf("%d", 1); printf("%d", a[i]) }`,
    states: 2,
    faults: ["array-bounds"],
    isOurs: true,
  },
  {
    name: "of two faults the first counts",
    text: `byte a[2], b[2], i = 2, z; init { if :: a[i] = 1 / z :: z = a[i] + b[i + 1] :: a[b[i]] = 1 :: skip fi }`,
    states: 3,
    faults: ["division-by-zero", "array-bounds", "array-bounds"],
    isOurs: true,
  },
  {
    name: "constants that fail",
    text: `byte a[2], z; init { if :: z = 1 / 0 :: z = 1 % (2 - 2) :: z = (0 && 1 / 0) + (1 || 1 / 0) + (1 -> 1 : 1 / 0) :: z = (1 && 0) + (0 || 2) fi; assert(z == 3 || z == 1) }`,
    states: 7,
    faults: ["division-by-zero", "division-by-zero", "assertion"],
    isOurs: true,
  },
  {
    name: "an index that is negative",
    text: `short i = -1; byte a[2]; init { if :: a[i] = 1 :: i = a[i] :: a[i + 1] = 1 :: a[-1 - i] = 1 fi }`,
    states: 3,
    faults: ["array-bounds", "array-bounds"],
    isOurs: true,
  },
  {
    name: "an index of few bits",
    text: `unsigned u : 2 = 3; byte a[4], b[3], c[5]; init { a[u] = 1; c[u] = 1; if :: b[u] = 1 :: u = 2; b[u] = 1; u = b[u] fi }`,
    states: 7,
    faults: ["array-bounds"],
    isOurs: true,
  },
]);
