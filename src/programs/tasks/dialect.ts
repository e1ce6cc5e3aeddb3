/** Text of the dialects: the header of the extension words, and the rewriting of spellings that macros cannot express. */

export type TaskDialect = "plain" | "tinyos" | "nescc";

/**
 * Included before the text if the program is analysed. A user's program includes it too: without `EVERYPATH_TASKS`, a C compiler makes a program
 * with a real queue, whose interrupts never arrive.
 */
export const TASK_HEADER = String.raw`#ifndef BBS_H
#define BBS_H
#define __env
#ifdef EVERYPATH_TASKS
#undef __env
#define __env __attribute__((annotate("everypath.environment"), used))
#define __task __attribute__((annotate("everypath.task"), used))
#define __interrupt(n) __attribute__((annotate("everypath.interrupt", (int)(n)), used))
#define __post(f, ...) ((f)(__VA_ARGS__), everypath_posted())
#define __irq_enable(n) everypath_enable((n), 1)
#define __irq_disable(n) everypath_enable((n), 0)
#define __sleep() everypath_sleep()
int everypath_posted(void);
void everypath_enable(int, int);
void everypath_sleep(void);
int everypath_atomic_begin(void);
void everypath_atomic_end(int *);
#else
#include <stdlib.h>
#include <string.h>
#define __task
#define __interrupt(n) __attribute__((unused))
#define __atomic
#define __irq_enable(n) ((void)(n))
#define __irq_disable(n) ((void)(n))
#define __sleep() ((void)0)
/* Arguments are integers or pointers, at most six. */
#define __post(f, ...) (everypath_enqueue((void (*)(void))(f), (long[7]){0, ## __VA_ARGS__} + 1))
#ifndef BBS_QUEUE_LENGTH
#define BBS_QUEUE_LENGTH 1024
#endif
static struct { void (*f)(void); long a[6]; } everypath_queue[BBS_QUEUE_LENGTH];
static int everypath_first, everypath_count, everypath_isRegistered;
static void everypath_run(void) {
  while (everypath_count > 0) {
    int at = everypath_first;
    long *a = everypath_queue[at].a;
    everypath_first = (at + 1) % BBS_QUEUE_LENGTH;
    everypath_count--;
    ((void (*)(long, long, long, long, long, long))everypath_queue[at].f)(a[0], a[1], a[2], a[3], a[4], a[5]);
  }
}
__attribute__((unused)) static int everypath_enqueue(void (*f)(void), const long *a) {
  if (!everypath_isRegistered) { everypath_isRegistered = 1; atexit(everypath_run); }
#ifdef BBS_QUEUE_TINYOS
  for (int i = 0; i < everypath_count; i++)
    if (everypath_queue[(everypath_first + i) % BBS_QUEUE_LENGTH].f == f) return 5;
#endif
  if (everypath_count == BBS_QUEUE_LENGTH) abort();
  int at = (everypath_first + everypath_count++) % BBS_QUEUE_LENGTH;
  everypath_queue[at].f = f;
  memcpy(everypath_queue[at].a, a, sizeof everypath_queue[at].a);
  return 0;
}
#endif
_Bool __VERIFIER_nondet_bool(void);
char __VERIFIER_nondet_char(void);
unsigned char __VERIFIER_nondet_uchar(void);
short __VERIFIER_nondet_short(void);
unsigned short __VERIFIER_nondet_ushort(void);
int __VERIFIER_nondet_int(void);
unsigned __VERIFIER_nondet_uint(void);
long __VERIFIER_nondet_long(void);
unsigned long __VERIFIER_nondet_ulong(void);
void __VERIFIER_assume(int);
void __VERIFIER_assert(int);
#define __nondet_bool __VERIFIER_nondet_bool
#define __nondet_char __VERIFIER_nondet_char
#define __nondet_uchar __VERIFIER_nondet_uchar
#define __nondet_short __VERIFIER_nondet_short
#define __nondet_ushort __VERIFIER_nondet_ushort
#define __nondet_int __VERIFIER_nondet_int
#define __nondet_uint __VERIFIER_nondet_uint
#define __nondet_long __VERIFIER_nondet_long
#define __nondet_ulong __VERIFIER_nondet_ulong
#define __assume __VERIFIER_assume
#ifndef assert
#define assert(e) __VERIFIER_assert(!!(e))
#endif
#endif
`;

const OWN_LINES: Readonly<Record<TaskDialect, string>> = {
  plain: "",
  tinyos: "#define task __task\n",
  nescc: [
    "#define wakeup unused",
    '#define interrupt(n) annotate("everypath.interrupt", (int)(n)), used',
    '#define signal(n) annotate("everypath.interrupt", (int)(n)), used',
    "#define spontaneous unused",
    "",
  ].join("\n"),
};

/** What precedes the text. */
export const preludeOf = (dialect: TaskDialect): string =>
  `#define EVERYPATH_TASKS 1\n#include "bbs.h"\n${OWN_LINES[dialect]}`;

const OPENED =
  "{ __attribute__((cleanup(everypath_atomic_end), unused)) int everypath_atomic = everypath_atomic_begin();";

/** A text with a header of tasks is a task program without being asked. */
export const includesHeader = (text: string): boolean =>
  /^[ \t]*#[ \t]*include[ \t]*[<"]bbs\.h[>"]/m.test(text);

/** Lines keep their numbers. Comments, strings and characters stay as they are. */
export function rewritten(text: string, dialect: TaskDialect): string {
  const words = dialect === "tinyos" ? "__atomic|atomic" : "__atomic";
  const posts = dialect === "tinyos" ? String.raw`|\bpost\s+([A-Za-z_$][\w$.]*)\s*\(` : "|(?!)()";
  const assembly =
    dialect === "nescc"
      ? String.raw`|\b(?:__asm__|__asm|asm)\s*(?:volatile|__volatile__|__volatile)?\s*\(\s*"\s*(dint|eint|nop)\s*"[^)]*\)`
      : "|(?!)()";
  const pattern = new RegExp(
    String.raw`(\/\*[\s\S]*?\*\/|\/\/[^\n]*|"(?:[^"\\\n]|\\.)*"|'(?:[^'\\\n]|\\.)*')|\b(?:${words})(\s*)(\{)|\b(?:${words})\b(\s+)([^;{}]*;)${posts}${assembly}`,
    "g",
  );
  return text.replace(
    pattern,
    (
      whole: string,
      kept: string | undefined,
      space: string | undefined,
      brace: string | undefined,
      gap: string | undefined,
      single: string | undefined,
      posted: string | undefined,
      instruction: string | undefined,
    ) => {
      if (kept !== undefined) return whole;
      if (brace !== undefined) return `${space ?? ""}${OPENED}`;
      if (single !== undefined) return `${gap ?? ""}${OPENED} ${rewritten(single, dialect)} }`;
      if (posted !== undefined) return `__post(${posted}`; // tasks of TinyOS have no arguments
      if (instruction !== undefined)
        return instruction === "nop"
          ? "((void)0)"
          : `everypath_enable(-1, ${instruction === "eint" ? 1 : 0})`;
      return whole;
    },
  );
}
