/**
 * Models of the C library, in C: compiled with the program, so that they are executed, forked and checked like its own code.
 *
 * Test: test/programs/library.test.ts compares each function with the native one. Functions that only the executor can provide
 * (`malloc`, `exit`, `everypath_…`) are declared here.
 */
import { STRINGS } from "./library-strings.js";

export const HEADER = String.raw`#ifndef EVERYPATH_H
#define EVERYPATH_H
#include <stddef.h>
/* Makes memory an input: any bytes are possible. */
void symbolic(void *memory, size_t size, const char *name);
/* Continues only with inputs for which the condition holds. */
void assume(int condition);
/* An error if the condition can be false. */
void check(int condition);
#endif
`;

const DECLARED = String.raw`
typedef unsigned long size_t;
typedef __builtin_va_list va_list;
#define NULL ((void *)0)
#define va_start __builtin_va_start
#define va_end __builtin_va_end
#define va_arg __builtin_va_arg
void *malloc(size_t);
void *memcpy(void *, const void *, size_t);
int everypath_read_byte(void);
void everypath_write(int, const char *, size_t);
int everypath_is_symbolic(long);
int everypath_format(char *, double, int, int);
void everypath_unsupported(const char *);
void _Exit(int);
void everypath_overflow(const char *);
int everypath_character(int);
`;

const NUMBERS = String.raw`
static int everypath_errno;
int *__errno_location(void) { return &everypath_errno; }
int abs(int x) { if (x == -2147483647 - 1) everypath_overflow("the least number has no absolute value"); return x < 0 ? -x : x; }
long labs(long x) { if (x == -9223372036854775807 - 1) everypath_overflow("the least number has no absolute value"); return x < 0 ? -x : x; }
long long llabs(long long x) { return labs(x); }
typedef struct { int quot, rem; } div_t;
typedef struct { long quot, rem; } ldiv_t;
div_t div(int a, int b) { div_t r = {a / b, a % b}; return r; }
ldiv_t ldiv(long a, long b) { ldiv_t r = {a / b, a % b}; return r; }
ldiv_t lldiv(long a, long b) { return ldiv(a, b); }
static void (*everypath_handlers[256])(void);
static int everypath_handler_count;
int atexit(void (*handler)(void)) {
  if (everypath_handler_count == 256) everypath_unsupported("more than 256 functions to call at exit");
  everypath_handlers[everypath_handler_count++] = handler;
  return 0;
}
/* Also called when main returns. */
void exit(int status) {
  while (everypath_handler_count > 0) everypath_handlers[--everypath_handler_count]();
  _Exit(status);
}
char *getenv(const char *name) { return NULL; }
/* The magnitude; *overflows if it exceeds 64 bits. */
static unsigned long everypath_digits(const char *s, char **end, int base, int *negative, int *overflows) {
  const char *start = s;
  while (isspace((unsigned char)*s)) s++;
  *negative = *s == '-';
  if (*s == '-' || *s == '+') s++;
  if ((base == 0 || base == 16) && s[0] == '0' && (s[1] | 32) == 'x' && isxdigit((unsigned char)s[2])) { s += 2; base = 16; }
  else if (base == 0) base = *s == '0' ? 8 : 10;
  unsigned long value = 0;
  int any = 0;
  unsigned long most = ~0ul / base, last = ~0ul % base;
  *overflows = 0;
  for (;; s++) {
    int c = (unsigned char)*s, digit;
    if (isdigit(c)) digit = c - '0';
    else if (isalpha(c)) digit = (c | 32) - 'a' + 10;
    else break;
    if (digit >= base) break;
    any = 1;
    if (value > most || (value == most && (unsigned long)digit > last)) *overflows = 1;
    value = value * base + digit;
  }
  if (end) *end = (char *)(any ? s : start);
  return value;
}
long strtol(const char *s, char **end, int base) {
  int negative, overflows;
  unsigned long value = everypath_digits(s, end, base, &negative, &overflows);
  unsigned long most = negative ? 1ul << 63 : (1ul << 63) - 1;
  if (overflows || value > most) { everypath_errno = 34; value = most; }
  return (long)(negative ? 0 - value : value);
}
unsigned long strtoul(const char *s, char **end, int base) {
  int negative, overflows;
  unsigned long value = everypath_digits(s, end, base, &negative, &overflows);
  if (overflows) { everypath_errno = 34; return ~0ul; }
  return negative ? 0 - value : value;
}
long long strtoll(const char *s, char **end, int base) { return strtol(s, end, base); }
unsigned long long strtoull(const char *s, char **end, int base) { return strtoul(s, end, base); }
int atoi(const char *s) { return (int)strtol(s, NULL, 10); }
long atol(const char *s) { return strtol(s, NULL, 10); }
long long atoll(const char *s) { return strtol(s, NULL, 10); }
static void everypath_swap(char *a, char *b, size_t size) {
  for (size_t i = 0; i < size; i++) { char c = a[i]; a[i] = b[i]; b[i] = c; }
}
void qsort(void *base, size_t count, size_t size, int (*compare)(const void *, const void *)) {
  char *first = base;
  for (size_t i = 1; i < count; i++)
    for (size_t j = i; j > 0 && compare(first + (j - 1) * size, first + j * size) > 0; j--)
      everypath_swap(first + (j - 1) * size, first + j * size, size);
}
void *bsearch(const void *key, const void *base, size_t count, size_t size, int (*compare)(const void *, const void *)) {
  const char *first = base;
  while (count > 0) {
    const char *middle = first + count / 2 * size;
    int order = compare(key, middle);
    if (order == 0) return (void *)middle;
    if (order > 0) { first = middle + size; count -= count / 2 + 1; } else count /= 2;
  }
  return NULL;
}
`;

const OUTPUT = String.raw`
struct everypath_stream { int number; int has_back; int back; int at_end; };
typedef struct everypath_stream FILE;
static FILE everypath_streams[3] = {{0}, {1}, {2}};
FILE *stdin = &everypath_streams[0], *stdout = &everypath_streams[1], *stderr = &everypath_streams[2];
/* Where formatted text goes: a stream, or a buffer of limited size. */
struct everypath_sink { FILE *stream; char *buffer; size_t limit; size_t count; };
static void everypath_put(struct everypath_sink *sink, char c) {
  if (sink->stream) everypath_write(sink->stream->number, &c, 1);
  else if (sink->count + 1 < sink->limit) sink->buffer[sink->count] = c;
  sink->count++;
}
static void everypath_pad(struct everypath_sink *sink, char c, long n) { for (; n > 0; n--) everypath_put(sink, c); }
struct everypath_spec { int left, plus, space, alternate, zero; long width, precision; };
static void everypath_field(struct everypath_sink *sink, struct everypath_spec *spec, const char *prefix, const char *text,
                            long length, long zeros, int is_number) {
  long lead = (long)strlen(prefix);
  long fill = spec->width - lead - zeros - length;
  if (!spec->left && !(spec->zero && is_number)) everypath_pad(sink, ' ', fill);
  for (long i = 0; i < lead; i++) everypath_put(sink, prefix[i]);
  if (!spec->left && spec->zero && is_number) everypath_pad(sink, '0', fill);
  everypath_pad(sink, '0', zeros);
  for (long i = 0; i < length; i++) everypath_put(sink, text[i]);
  if (spec->left) everypath_pad(sink, ' ', fill);
}
static void everypath_integer(struct everypath_sink *sink, struct everypath_spec *spec, unsigned long value, int negative,
                              int base, int upper, int is_signed) {
  char digits[24];
  int at = 24;
  const char *alphabet = upper ? "0123456789ABCDEF" : "0123456789abcdef";
  int is_zero = value == 0;
  while (value) { digits[--at] = alphabet[value % base]; value /= base; }
  long count = 24 - at;
  long zeros = spec->precision >= 0 ? spec->precision - count : count == 0 ? 1 : 0;
  if (zeros < 0) zeros = 0;
  if (spec->alternate && base == 8 && zeros == 0) zeros = 1;
  if (spec->precision >= 0) spec->zero = 0;
  const char *prefix = "";
  if (is_signed) prefix = negative ? "-" : spec->plus ? "+" : spec->space ? " " : "";
  else if (spec->alternate && base == 16 && !is_zero) prefix = upper ? "0X" : "0x";
  everypath_field(sink, spec, prefix, digits + at, count, zeros, 1);
}
static void everypath_double(struct everypath_sink *sink, struct everypath_spec *spec, double value, int conversion) {
  static char text[2048];
  int negative = __builtin_signbit(value) != 0;
  if (negative) value = -value;
  int length = everypath_format(text, value, spec->precision < 0 ? 6 : (int)spec->precision, conversion);
  int is_finite = value - value == 0;
  if (!is_finite) spec->zero = 0;
  everypath_field(sink, spec, negative ? "-" : spec->plus ? "+" : spec->space ? " " : "", text, length, 0, is_finite);
}
static void everypath_print(struct everypath_sink *sink, const char *format, va_list args) {
  for (; *format; format++) {
    if (*format != '%') { everypath_put(sink, *format); continue; }
    struct everypath_spec spec = {0, 0, 0, 0, 0, 0, -1};
    for (format++;; format++) {
      if (*format == '-') spec.left = 1;
      else if (*format == '+') spec.plus = 1;
      else if (*format == ' ') spec.space = 1;
      else if (*format == '#') spec.alternate = 1;
      else if (*format == '0') spec.zero = 1;
      else break;
    }
    if (*format == '*') {
      spec.width = va_arg(args, int);
      if (spec.width < 0) { spec.left = 1; spec.width = -spec.width; }
      format++;
    } else for (; isdigit((unsigned char)*format); format++) spec.width = spec.width * 10 + (*format - '0');
    if (*format == '.') {
      format++;
      spec.precision = 0;
      if (*format == '*') { spec.precision = va_arg(args, int); format++; }
      else for (; isdigit((unsigned char)*format); format++) spec.precision = spec.precision * 10 + (*format - '0');
    }
    int longs = 0, shorts = 0;
    for (;; format++) {
      if (*format == 'l' || *format == 'z' || *format == 'j' || *format == 't') longs++;
      else if (*format == 'h') shorts++;
      else break;
    }
    switch (*format) {
      case 'd': case 'i': {
        long value = longs ? va_arg(args, long) : va_arg(args, int);
        if (shorts == 1) value = (short)value;
        if (shorts == 2) value = (signed char)value;
        if (sink->stream && everypath_is_symbolic(value)) { everypath_put(sink, '?'); break; }
        everypath_integer(sink, &spec, value < 0 ? 0 - (unsigned long)value : value, value < 0, 10, 0, 1);
        break;
      }
      case 'u': case 'x': case 'X': case 'o': {
        unsigned long value = longs ? va_arg(args, unsigned long) : va_arg(args, unsigned);
        if (shorts == 1) value = (unsigned short)value;
        if (shorts == 2) value = (unsigned char)value;
        if (sink->stream && everypath_is_symbolic((long)value)) { everypath_put(sink, '?'); break; }
        everypath_integer(sink, &spec, value, 0, *format == 'u' ? 10 : *format == 'o' ? 8 : 16, *format == 'X', 0);
        break;
      }
      case 'c': {
        char c = (char)va_arg(args, int);
        everypath_field(sink, &spec, "", &c, 1, 0, 0);
        break;
      }
      case 's': {
        const char *text = va_arg(args, const char *);
        if (!text) text = "(null)";
        long length = spec.precision >= 0 ? (long)strnlen(text, spec.precision) : (long)strlen(text);
        everypath_field(sink, &spec, "", text, length, 0, 0);
        break;
      }
      case 'p':
        spec.alternate = 1;
        everypath_integer(sink, &spec, (unsigned long)va_arg(args, void *), 0, 16, 0, 0);
        break;
      case 'f': case 'F': case 'e': case 'E': case 'g': case 'G':
        if (spec.alternate) everypath_unsupported("the format '%#' of a floating-point number");
        everypath_double(sink, &spec, va_arg(args, double), *format);
        break;
      case '%': everypath_put(sink, '%'); break;
      default: everypath_unsupported("a format of printf");
    }
  }
}
int vfprintf(FILE *stream, const char *format, va_list args) {
  struct everypath_sink sink = {stream, NULL, 0, 0};
  everypath_print(&sink, format, args);
  return (int)sink.count;
}
int vsnprintf(char *buffer, size_t limit, const char *format, va_list args) {
  struct everypath_sink sink = {NULL, buffer, limit, 0};
  everypath_print(&sink, format, args);
  if (limit > 0) buffer[sink.count < limit ? sink.count : limit - 1] = 0;
  return (int)sink.count;
}
int vprintf(const char *format, va_list args) { return vfprintf(stdout, format, args); }
int vsprintf(char *buffer, const char *format, va_list args) { return vsnprintf(buffer, ~0ul >> 1, format, args); }
int printf(const char *format, ...) { va_list a; va_start(a, format); int n = vfprintf(stdout, format, a); va_end(a); return n; }
int fprintf(FILE *f, const char *format, ...) { va_list a; va_start(a, format); int n = vfprintf(f, format, a); va_end(a); return n; }
int sprintf(char *b, const char *format, ...) { va_list a; va_start(a, format); int n = vsprintf(b, format, a); va_end(a); return n; }
int snprintf(char *b, size_t m, const char *format, ...) { va_list a; va_start(a, format); int n = vsnprintf(b, m, format, a); va_end(a); return n; }
int fputs(const char *s, FILE *f) { everypath_write(f->number, s, strlen(s)); return 1; }
int puts(const char *s) { fputs(s, stdout); everypath_write(1, "\n", 1); return 1; }
int fputc(int c, FILE *f) { char b = (char)c; everypath_write(f->number, &b, 1); return (unsigned char)c; }
int putc(int c, FILE *f) { return fputc(c, f); }
int putchar(int c) { return fputc(c, stdout); }
size_t fwrite(const void *m, size_t size, size_t count, FILE *f) { everypath_write(f->number, m, size * count); return count; }
int fflush(FILE *f) { return 0; }
int fgetc(FILE *f) {
  if (f->has_back) { f->has_back = 0; return f->back; }
  if (f->number != 0) everypath_unsupported("reading from an output stream");
  int c = everypath_read_byte();
  if (c < 0) f->at_end = 1;
  return c;
}
int getc(FILE *f) { return fgetc(f); }
int getchar(void) { return fgetc(stdin); }
int ungetc(int c, FILE *f) { if (c < 0) return c; f->has_back = 1; f->back = (unsigned char)c; f->at_end = 0; return f->back; }
int feof(FILE *f) { return f->at_end; }
int ferror(FILE *f) { return 0; }
char *fgets(char *s, int n, FILE *f) {
  int i = 0;
  while (i < n - 1) {
    int c = fgetc(f);
    if (c < 0) { if (i == 0) return NULL; break; }
    s[i++] = (char)c;
    if (c == '\n') break;
  }
  s[i] = 0;
  return s;
}
size_t fread(void *m, size_t size, size_t count, FILE *f) {
  unsigned char *s = m;
  size_t i = 0;
  for (; i < size * count; i++) { int c = fgetc(f); if (c < 0) break; s[i] = (unsigned char)c; }
  return size ? i / size : 0;
}
long read(int fd, void *m, size_t n) {
  unsigned char *s = m;
  size_t i = 0;
  if (fd != 0) everypath_unsupported("reading from a file");
  for (; i < n; i++) { int c = fgetc(stdin); if (c < 0) break; s[i] = (unsigned char)c; }
  return (long)i;
}
long write(int fd, const void *m, size_t n) {
  if (fd != 1 && fd != 2) everypath_unsupported("writing to a file");
  everypath_write(fd, m, n);
  return (long)n;
}
`;

export const LIBRARY = DECLARED + STRINGS + NUMBERS + OUTPUT;
