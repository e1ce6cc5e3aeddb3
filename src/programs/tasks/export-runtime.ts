/** The part of every exported sequential program that does not depend on the task program. */
import type { Flavour } from "./settings.js";

/** Values come from a file, or all below a bound are tried one after the other; or another checker chooses them. */
const CHOICES: Readonly<Record<Flavour, string>> = {
  gcc: String.raw`#include <stdio.h>
#include <stdlib.h>
/* Inputs by phase, and guesses, from the file EVERYPATH_INPUTS; or, with EVERYPATH_DOMAIN=N, all values below N, one run after the other. */
#define EP_MOST 100000
static uint64_t ep_stream[EP_L + 1][EP_MOST];
static int ep_length[EP_L + 1], ep_cursor[EP_L + 1], ep_domain;
static struct { int value, most; } ep_trail[4096];
static int ep_depth, ep_trailed;
static long ep_kinds[EP_L + 1][EP_SLOTS + 1], ep_values[EP_L + 1][EP_SLOTS + 1];
static int ep_bitguess[EP_L + 1][EP_BITS + 1];
static int ep_pick(int n) {
  if (n <= 1) return 0;
  if (ep_depth == ep_trailed) {
    if (ep_trailed == 4096) { fprintf(stderr, "too many choices\n"); exit(3); }
    ep_trail[ep_trailed].value = 0;
    ep_trail[ep_trailed++].most = n;
  }
  return ep_trail[ep_depth++].value;
}
static uint64_t ep_input(void) {
  if (ep_domain) return (uint64_t)ep_pick(ep_domain);
  if (ep_cursor[ep_phase] == ep_length[ep_phase]) { ep_status[ep_phase] = EP_STOP; return 0; }
  return ep_stream[ep_phase][ep_cursor[ep_phase]++];
}
static int ep_choice(int n) {
  uint64_t value;
  if (ep_domain) return ep_pick(n);
  value = ep_input();
  return value < (uint64_t)n ? (int)value : 0;
}
static uint64_t ep_guess_number(int phase, int slot) { return ep_domain ? (uint64_t)ep_pick(ep_domain) : (uint64_t)ep_values[phase][slot]; }
static int ep_guess_target(int phase, int slot, int n) { return ep_domain ? ep_pick(n) : (int)ep_kinds[phase][slot]; }
static uint64_t ep_guess_offset(int phase, int slot) { return ep_domain ? (uint64_t)ep_pick(ep_domain) : (uint64_t)ep_values[phase][slot]; }
static int ep_guess_bit(int phase, int bit) { return ep_domain ? ep_pick(2) : ep_bitguess[phase][bit]; }
static int ep_run(void);
static long ep_bugs, ep_runs;
static int ep_least;
static void ep_bug(int phase) {
  ep_bugs++;
  if (ep_least == 0 || phase < ep_least) ep_least = phase;
  if (!ep_domain) printf("BUG phase %d: %s at line %d\n", phase, ep_kind[phase], ep_line[phase]);
}
int main(void) {
  const char *name = getenv("EVERYPATH_INPUTS"), *domain = getenv("EVERYPATH_DOMAIN");
  FILE *file = name ? fopen(name, "r") : 0;
  char what;
  int phase;
  long a, b;
  ep_domain = domain ? atoi(domain) : 0;
  while (file && fscanf(file, " %c %d %ld %ld", &what, &phase, &a, &b) == 4) {
    if (phase < 1 || phase > EP_L) continue;
    if (what == 'i' && ep_length[phase] < EP_MOST) ep_stream[phase][ep_length[phase]++] = (uint64_t)a;
    if (what == 'n' && a >= 0 && a < EP_SLOTS) ep_values[phase][a] = b;
    if (what == 'p' && a >= 0 && a < EP_SLOTS) ep_kinds[phase][a] = b;
    if (what == 'b' && a >= 0 && a < EP_BITS) ep_bitguess[phase][a] = (int)b;
  }
  if (file) fclose(file);
  for (;;) {
    ep_depth = 0;
    ep_runs++;
    ep_run();
    while (ep_trailed > 0 && ep_trail[ep_trailed - 1].value + 1 == ep_trail[ep_trailed - 1].most) ep_trailed--;
    if (!ep_domain || ep_trailed == 0) break;
    ep_trail[ep_trailed - 1].value++;
  }
  if (ep_domain) printf("%ld runs, least phase %d\n", ep_runs, ep_least);
  else if (ep_bugs == 0) printf("no bug\n");
  return ep_bugs > 0;
}
`,
  cbmc: String.raw`unsigned long nondet_ulong(void);
static uint64_t ep_input(void) { return nondet_ulong(); }
static int ep_choice(int n) { unsigned long c = nondet_ulong(); __CPROVER_assume(c < (unsigned long)n); return (int)c; }
static uint64_t ep_guess_number(int phase, int slot) { (void)phase; (void)slot; return nondet_ulong(); }
static int ep_guess_target(int phase, int slot, int n) { (void)phase; (void)slot; return ep_choice(n); }
static uint64_t ep_guess_offset(int phase, int slot) { (void)phase; (void)slot; return nondet_ulong(); }
static int ep_guess_bit(int phase, int bit) { (void)phase; (void)bit; return ep_choice(2); }
static int ep_run(void);
static void ep_bug(int phase) { (void)phase; __CPROVER_assert(0, "a task or handler fails"); }
int main(void) { return ep_run(); }
`,
  svcomp: String.raw`extern unsigned long __VERIFIER_nondet_ulong(void);
extern void __VERIFIER_assume(int);
extern void reach_error(void);
static uint64_t ep_input(void) { return __VERIFIER_nondet_ulong(); }
static int ep_choice(int n) { unsigned long c = __VERIFIER_nondet_ulong(); __VERIFIER_assume(c < (unsigned long)n); return (int)c; }
static uint64_t ep_guess_number(int phase, int slot) { (void)phase; (void)slot; return __VERIFIER_nondet_ulong(); }
static int ep_guess_target(int phase, int slot, int n) { (void)phase; (void)slot; return ep_choice(n); }
static uint64_t ep_guess_offset(int phase, int slot) { (void)phase; (void)slot; return __VERIFIER_nondet_ulong(); }
static int ep_guess_bit(int phase, int bit) { (void)phase; (void)bit; return ep_choice(2); }
static int ep_run(void);
static void ep_bug(int phase) { (void)phase; reach_error(); }
int main(void) { return ep_run(); }
`,
};

/** Declared before the variables of the program. */
export const RUNTIME_HEAD = String.raw`#include <stdint.h>
#include <string.h>
#if defined(__GNUC__)
#pragma GCC diagnostic ignored "-Wunused-function"
#pragma GCC diagnostic ignored "-Wunused-variable"
#pragma GCC diagnostic ignored "-Wunused-but-set-variable"
#pragma GCC diagnostic ignored "-Wunused-label"
#endif
/* Of each phase: running, or over by an error, or over without one. */
enum { EP_OK, EP_ERR, EP_STOP };
static int ep_phase, ep_status[EP_L + 2], ep_line[EP_L + 2];
static const char *ep_kind[EP_L + 2];
static void ep_fail(const char *kind, int line) { ep_status[ep_phase] = EP_ERR; ep_kind[ep_phase] = kind; ep_line[ep_phase] = line; }
static void ep_stop(void) { ep_status[ep_phase] = EP_STOP; }
static uint8_t ep_ld1(const uint8_t *p) { return *p; }
static uint16_t ep_ld2(const uint8_t *p) { uint16_t v; memcpy(&v, p, 2); return v; }
static uint32_t ep_ld4(const uint8_t *p) { uint32_t v; memcpy(&v, p, 4); return v; }
static uint64_t ep_ld8(const uint8_t *p) { uint64_t v; memcpy(&v, p, 8); return v; }
static uint8_t *ep_ldp(const uint8_t *p) { uint8_t *v; memcpy(&v, p, sizeof v); return v; }
static void ep_st1(uint8_t *p, uint8_t v) { *p = v; }
static void ep_st2(uint8_t *p, uint16_t v) { memcpy(p, &v, 2); }
static void ep_st4(uint8_t *p, uint32_t v) { memcpy(p, &v, 4); }
static void ep_st8(uint8_t *p, uint64_t v) { memcpy(p, &v, 8); }
static void ep_stp(uint8_t *p, uint8_t *v) { memcpy(p, &v, sizeof v); }
`;

/** After the variables. */
export const runtimeBody = (flavour: Flavour): string => `${CHOICES[flavour]}${COMMON}`;

const COMMON = String.raw`/* Variables of functions, by the nesting of calls; those below the base belong to other tasks. */
#define EP_LOCALS 4096
static struct { const uint8_t *base; uint64_t size; } ep_locals[EP_LOCALS];
static int ep_count, ep_base;
static void ep_push(const uint8_t *base, uint64_t size) {
  if (ep_count < EP_LOCALS) { ep_locals[ep_count].base = base; ep_locals[ep_count].size = size; ep_count++; }
  else ep_stop();
}
static const char *ep_check(const uint8_t *p, uint64_t size) {
  uintptr_t at = (uintptr_t)p;
  int i;
  if (at < 4096) return "null pointer";
  for (i = ep_base; i < ep_count; i++)
    if (at >= (uintptr_t)ep_locals[i].base && at + size <= (uintptr_t)ep_locals[i].base + ep_locals[i].size) return 0;
  for (i = 0; i < EP_GLOBALS; i++)
    if (at >= (uintptr_t)ep_globals[i].base && at + size <= (uintptr_t)ep_globals[i].base + ep_globals[i].size) return 0;
  for (i = 0; i < ep_base; i++)
    if (at >= (uintptr_t)ep_locals[i].base && at < (uintptr_t)ep_locals[i].base + ep_locals[i].size) return "use after return";
  return p == ep_dangling ? "use after return" : "out of bounds";
}
static int ep_is_global(const uint8_t *p) {
  int i;
  for (i = 0; i < EP_GLOBALS; i++)
    if ((uintptr_t)p >= (uintptr_t)ep_globals[i].base && (uintptr_t)p <= (uintptr_t)ep_globals[i].base + ep_globals[i].size) return 1;
  return 0;
}
/* Switches: tasks in the queue, then handlers that are off, then all handlers. */
static uint8_t ep_bits[EP_BITS + 1];
static struct { uint8_t data[EP_BYTES + 1]; uint8_t bits[EP_BITS + 1]; } ep_env[EP_L + 2], ep_init[EP_L + 2];
static int ep_started[EP_L + 2], ep_handler, ep_atomic;
static void ep_save(int phase) {
  int i;
  uint64_t at = 0;
  for (i = 0; i < EP_WRITTEN; i++) { memcpy(ep_env[phase].data + at, ep_written[i].base, ep_written[i].size); at += ep_written[i].size; }
  memcpy(ep_env[phase].bits, ep_bits, sizeof ep_bits);
}
static void ep_load(int phase) {
  int i;
  uint64_t at = 0;
  for (i = 0; i < EP_WRITTEN; i++) { memcpy(ep_written[i].base, ep_env[phase].data + at, ep_written[i].size); at += ep_written[i].size; }
  memcpy(ep_bits, ep_env[phase].bits, sizeof ep_bits);
}
static void ep_guess(int phase) {
  int i;
  for (i = 0; i < EP_SLOTS; i++) {
    uint8_t *p = ep_env[phase].data + ep_slots[i].at;
    if (ep_slots[i].targets == 0) {
      uint64_t v = ep_guess_number(phase, i);
      memcpy(p, &v, ep_slots[i].size);
    } else {
      int target = ep_guess_target(phase, i, ep_slots[i].targets + 1);
      uint8_t *v = 0;
      if (target > 0) {
        v = ep_targets[ep_slots[i].first + target - 1].base;
        if (ep_targets[ep_slots[i].first + target - 1].isAny) v += ep_guess_offset(phase, i);
      }
      memcpy(p, &v, sizeof v);
    }
  }
  for (i = 0; i < EP_BITS; i++) ep_env[phase].bits[i] = i < EP_USED_BITS ? (uint8_t)ep_guess_bit(phase, i) : 0;
  ep_init[phase] = ep_env[phase];
  ep_started[phase] = 1;
}
/* Is the guess for a phase what the phase before has become? */
static int ep_right(int phase) {
  int i;
  for (i = 0; i < EP_SLOTS; i++) {
    const uint8_t *a = ep_init[phase].data + ep_slots[i].at, *b = ep_env[phase - 1].data + ep_slots[i].at;
    if (ep_slots[i].targets && ep_ldp(a) == ep_dangling) {
      if (ep_ldp(b) == 0 || ep_is_global(ep_ldp(b))) return 0;
    } else if (memcmp(a, b, ep_slots[i].size) != 0) return 0;
  }
  return memcmp(ep_init[phase].bits, ep_env[phase - 1].bits, EP_USED_BITS) == 0;
}
static struct { int count, base, handler, atomic; } ep_poster[EP_L + 2];
static uint32_t ep_post(uint32_t task) {
  (void)task;
#if EP_ONCE
  if (ep_bits[task]) return 5;
  ep_bits[task] = 1;
#endif
  if (ep_phase >= EP_L || ep_status[ep_phase + 1] != EP_OK) return 0;
  if (!ep_started[ep_phase + 1]) ep_guess(ep_phase + 1);
  ep_save(ep_phase);
  ep_poster[ep_phase].count = ep_count;
  ep_poster[ep_phase].base = ep_base;
  ep_poster[ep_phase].handler = ep_handler;
  ep_poster[ep_phase].atomic = ep_atomic;
  ep_base = ep_count;
  ep_handler = -1;
  ep_atomic = 0;
  ep_load(++ep_phase);
#if EP_ONCE
  ep_bits[task] = 0;
#endif
  return 0xffffffffu;
}
static void ep_leave(void) {
  ep_save(ep_phase);
  ep_load(--ep_phase);
  ep_count = ep_poster[ep_phase].count;
  ep_base = ep_poster[ep_phase].base;
  ep_handler = ep_poster[ep_phase].handler;
  ep_atomic = ep_poster[ep_phase].atomic;
}
static uint32_t ep_interrupt(uint32_t set) {
  int i, n = 0, enabled[EP_HANDLERS + 1];
  if (ep_status[ep_phase] != EP_OK || ep_handler >= 0 || ep_atomic > 0 || ep_bits[EP_TASKS + EP_HANDLERS]) return 0;
  for (i = 0; i < EP_HANDLERS; i++) if (((set >> i) & 1) && !ep_bits[EP_TASKS + i]) enabled[n++] = i;
  if (n == 0) return 0;
  i = ep_choice(n + 1);
  if (i == 0 || ep_status[ep_phase] != EP_OK) return 0;
  ep_handler = enabled[i - 1];
  return (uint32_t)enabled[i - 1] + 1;
}
static void ep_interrupt_end(void) { ep_handler = -1; }
static void ep_enable(uint32_t vector, uint32_t on) {
  int i;
  if ((int32_t)vector == -1) ep_bits[EP_TASKS + EP_HANDLERS] = !on;
  for (i = 0; i < EP_HANDLERS; i++) if (ep_vectors[i] == (int32_t)vector) ep_bits[EP_TASKS + i] = !on;
}
static void ep_turns(uint32_t turns) { if (turns > EP_UNWIND) ep_stop(); }
static uint32_t ep_atomic_begin(void) { ep_atomic++; return 1; }
static void ep_atomic_end(void) { if (ep_atomic > 0) ep_atomic--; }
static uint32_t ep_drain(void) { if (ep_started[ep_phase + 1]) ep_stop(); return 0; }
static void ep_start(void) {
  ep_phase = 1;
  memset(ep_status, 0, sizeof ep_status);
  memset(ep_started, 0, sizeof ep_started);
  memset(ep_bits, 0, sizeof ep_bits);
  ep_count = ep_base = ep_atomic = 0;
  ep_handler = -1;
  ep_reset();
}
/* The first phase that is over decides, if the guesses up to it are right. */
static void ep_finish(void) {
  int last = 0, i;
  for (i = 1; i <= EP_L && last == 0; i++) if (ep_status[i] != EP_OK) last = i;
  if (last == 0 || ep_status[last] != EP_ERR) return;
  ep_save(1);
  for (i = 2; i <= last; i++) if (!ep_right(i)) return;
  ep_bug(last);
}
`;
