/** Task programs of the published suites, with their minimal phases: shared by the conformance run and the tests. */

/** Phase at which the error appears; undefined: none in any phase. */
export interface SmallProgram {
  readonly name: string;
  readonly text: string;
  readonly fifo: number | undefined;
  readonly tinyos: number | undefined;
}

const small = (
  name: string,
  text: string,
  fifo?: number,
  tinyos: number | undefined = fifo,
): SmallProgram => ({
  name,
  text,
  fifo,
  tinyos,
});

/** S1 to S17: the meaning of posts, phases, interrupts and assumptions. */
export const SEMANTICS: readonly SmallProgram[] = [
  small(
    "S1",
    `int y; __task void c(void) { assert(y == 1); } __task void b(void) { y = 1; } __task void a(void) { __post(c); }
int main(void) { __post(a); __post(b); return 0; }`,
  ),
  small(
    "S2",
    `int x; __task void t(void) { assert(x == 0); } int main(void) { x = 0; __post(t); x = 1; return 0; }`,
    2,
  ),
  small(
    "S3",
    `int n; __task void p(void) { n++; assert(n < 3); __post(p); } int main(void) { __post(p); return 0; }`,
    4,
  ),
  {
    ...small(
      "S4",
      `int n; __task void t(void) { n++; assert(n < 2); } int main(void) { __post(t); __post(t); return 0; }`,
      2,
    ),
    tinyos: undefined,
  },
  {
    ...small(
      "S5",
      `int n, r; __task void b(void) { n++; assert(n < 2); } __task void a(void) { r = __post(b); }
int main(void) { __post(a); __post(b); return 0; }`,
      3,
    ),
    tinyos: undefined,
  },
  small(
    "S6",
    `int n; __task void a(void) { __post(a); n++; assert(n < 2); } int main(void) { __post(a); return 0; }`,
    3,
  ),
  small(
    "S7",
    `int g, *p; __task void t(void) { assert(*p == 5); } int main(void) { p = &g; __post(t); g = 5; return 0; }`,
  ),
  small(
    "S8",
    `int g, h, *p; __task void t(void) { assert(*p == 2); } int main(void) { p = &g; __post(t); p = &h; h = 2; return 0; }`,
  ),
  small(
    "S9",
    `int *q, r; __task void t(void) { r = *q; } int main(void) { int l = 1; q = &l; __post(t); return 0; }`,
    2,
  ),
  small(
    "S10",
    `int ranB, once; __task void a(void) { assert(!ranB); } __task void b(void) { ranB = 1; } __task void c(void) { }
__interrupt(1) void h(void) { if (!once) { once = 1; __post(b); } }
int main(void) { __post(a); __post(c); return 0; }`,
    2,
  ),
  small(
    "S11",
    `int s, once; __task void a(void) { s = s * 4 + 1; } __task void b(void) { s = s * 4 + 2; } __task void c(void) { s = s * 4 + 3; assert(s != 27); }
__interrupt(1) void h(void) { if (!once) { once = 1; __post(b); } }
int main(void) { __post(a); __post(c); return 0; }`,
    2,
  ),
  small(
    "S12",
    `int s, once; __task void a(void) { s = s * 4 + 1; } __task void b(void) { s = s * 4 + 2; } __task void c(void) { s = s * 4 + 3; assert(s != 27); }
__interrupt(1) void h(void) { if (!once) { once = 1; __post(b); } }
int main(void) { __atomic { __post(a); __post(c); } return 0; }`,
  ),
  small(
    "S13",
    `int e; __task void t(void) { assert(0); } __interrupt(1) void h(void) { if (e) __post(t); } int main(void) { e = 1; return 0; }`,
    2,
  ),
  small(
    "S14",
    `int x; __interrupt(1) void h(void) { x = 1; } int main(void) { if (x == 0) assert(x == 0); return 0; }`,
    1,
  ),
  small(
    "S15",
    `int z; __task void t(void) { __assume(0); } int main(void) { __post(t); assert(0); return 0; }`,
    1,
  ),
  small(
    "S16",
    `int x; __task void c(void) { assert(x == 2); } __task void b(void) { x = 2; } __task void a(void) { x = 1; __post(c); }
int main(void) { __post(a); __post(b); return 0; }`,
  ),
  small(
    "S17",
    `int z; __task void t(void) { while (1) z = !z; } int main(void) { __post(t); assert(0); return 0; }`,
    1,
  ),
];

const TYPES = "typedef unsigned char u8; typedef unsigned short u16;\n";

export interface SuiteProgram {
  readonly name: string;
  readonly text: string;
  readonly kind: string;
  readonly line: number;
  readonly minimal: number;
  /** The same program without its error: safe in every phase. */
  readonly twin: string;
}

const suite = (
  name: string,
  minimal: number,
  kind: string,
  line: number,
  body: string,
  repair: readonly [string, string],
): SuiteProgram => {
  const text = TYPES + body;
  if (!text.includes(repair[0])) throw new Error(`${name} has nothing to repair`);
  return { name, text, kind, line, minimal, twin: text.replace(repair[0], repair[1]) };
};

const SERIAL = `enum { SZ = 8 };
u8 packet[SZ]; u8 *sendBuffer; u8 sendIndex, sendLen, sendState, started, armed;
__interrupt(6) void uartRx(void) { if (started) sendState = 2; }
__task void fired(void) { u8 b, off;
  USER
  if (sendState != 0) return;
  off = __nondet_uchar(); __assume(off <= 4);
  sendIndex = off; sendBuffer = packet; sendLen = off + 5; sendState = 1;
  while (sendIndex <= sendLen) { b = sendBuffer[sendIndex]; sendIndex++; }
  sendState = 0; }
__task void updateFromTimer(void) { armed = 1; __post(fired); }
__task void startDone(void) { started = 1; __post(updateFromTimer); }
int main(void) { __post(startDone); return 0; }
`;

/** The nine bugs of the rebuilt TinyOS applications. */
export const TOSMINI: readonly SuiteProgram[] = [
  suite(
    "testadc",
    2,
    "null pointer",
    3,
    `u16 buf[4]; u16 *stream; u8 ok;
__task void readDone(void) { stream[0] = __nondet_ushort(); ok = 1; }
int main(void) { stream = buf; ok = 0; __post(readDone); stream = 0; return 0; }
`,
    ["stream = 0;", ""],
  ),
  suite(
    "testeui",
    2,
    "out of bounds",
    3,
    `u8 id[8]; u8 out[8];
__task void timerFired(void) { int i; for (i = 0; i <= 8; i++) out[i] = id[i & 7]; }
int main(void) { __post(timerFired); return 0; }
`,
    ["i <= 8", "i < 8"],
  ),
  suite(
    "testam",
    3,
    "null pointer",
    6,
    `typedef struct { u8 header[4]; u8 data[28]; } __attribute__((aligned(2))) message_t;  typedef struct { u16 counter; } am_msg_t;
message_t packet; u8 locked; u16 counter;
void *getPayload(message_t *m, u8 len) { if (len > 28) return 0; return m->data; }
__task void timerFired(void) { am_msg_t *p; counter++; if (locked) return;
  p = (am_msg_t *)getPayload(&packet, __nondet_uchar()); p->counter = counter; locked = 1; }
__task void startDone(void) { __post(timerFired); }
int main(void) { __post(startDone); return 0; }
`,
    ["p->counter = counter;", "if (p) p->counter = counter;"],
  ),
  suite(
    "blinkfail",
    3,
    "out of bounds",
    6,
    `enum { N = 2 };
int a[N]; int i; u8 armed; u8 running[3];
__task void updateFromTimer(void);
__task void fired(void) { u8 t = __nondet_uchar(); __assume(t < 3);
  if (running[t]) { if (t == 1) { a[i] = 1; i++; } } __post(updateFromTimer); }
__task void updateFromTimer(void) { armed = 1; }
void startPeriodic(u8 n) { running[n] = 1; __post(updateFromTimer); }
__interrupt(26) void timerB0(void) { if (armed) __post(fired); }
int main(void) { startPeriodic(0); startPeriodic(1); startPeriodic(2); return 0; }
`,
    ["a[i] = 1; i++;", "a[i] = 1; i = (i + 1) % N;"],
  ),
  suite("testserial, oob", 4, "out of bounds", 10, SERIAL.replace("USER", ""), [
    "sendIndex <= sendLen",
    "sendIndex < SZ",
  ]),
  suite(
    "testserial, user",
    4,
    "assertion",
    6,
    SERIAL.replace("USER", "assert(sendState == 0);").replace("sendIndex <= sendLen", "sendIndex < SZ"),
    ["sendState = 2", "armed = 1"],
  ),
  suite(
    "testprintf",
    3,
    "out of bounds",
    5,
    `enum { QMAX = 12, MSG = 8 };
u8 queue[QMAX]; u8 qsize; u8 buffer[MSG]; u8 state;
int put(u8 c) { if (qsize == QMAX) return -1; queue[qsize] = c; qsize++; return 0; }
__task void sendNext(void) { int i; for (i = 0; i < qsize; i++) buffer[i] = queue[i]; qsize = 0; state = 0; }
__task void timerFired(void) { int i; for (i = 0; i < 10; i++) put((u8)i); if (state == 0) { state = 1; __post(sendNext); } }
int main(void) { __post(timerFired); return 0; }
`,
    ["i < qsize", "i < qsize && i < MSG"],
  ),
  suite(
    "testdissemination",
    3,
    "null pointer",
    5,
    `unsigned long val32 = 123456; u8 running, busy; unsigned long out; u16 key;
unsigned long *requestData(u16 k) { if (k == 0x1234) return &val32; return 0; }
__task void trickleFired(void) { unsigned long *o; if (!running || busy) return; busy = 1;
  o = requestData(key); out = *o; busy = 0; }
__task void startDone(void) { running = 1; key = __nondet_ushort(); __post(trickleFired); }
int main(void) { __post(startDone); return 0; }
`,
    ["out = *o;", "if (o) out = *o;"],
  ),
  suite(
    "testdip",
    3,
    "null pointer",
    4,
    `u8 payload[4]; u8 count;
u8 *getPayload(u8 len) { if (len > 4) return 0; return payload; }
__task void changed(void) { u8 *m; count++; m = getPayload(__nondet_uchar()); m[0] = count; }
__task void amStartDone(void) { __post(changed); }
int main(void) { __post(amStartDone); return 0; }
`,
    ["m[0] = count", "if (m) m[0] = count"],
  ),
];

/** BlinkFail as published, for another number of elements. */
export const blinkfail = (n: number): string => (TOSMINI[3]?.text ?? "").replace("N = 2", `N = ${n}`);

/** The worked example: the guess for `x` at the start of phase 2 is 7. */
export const FIGURE = `int x = 1;
__task void t1(void) { x = x * 10; }
__task void t2(void) { x = x - 1; assert(x != 69); }
int main(void) { x = x + 1; __post(t1); x = x * 2; __post(t2); x = x + 3; return 0; }
`;
