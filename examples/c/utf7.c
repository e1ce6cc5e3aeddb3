/* expected: violated (runtime errors)
   Mutt 1.4's conversion from UTF-8 to UTF-7 reserved twice the length of its input, which is too little: one control character
   becomes five characters. With -D REPAIRED, it reserves enough. */
#include <everypath.h>
#include <stdlib.h>

#ifndef LENGTH
#define LENGTH 1
#endif

static const char digits[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+,";

/* Only characters below 128, so that the input is valid UTF-8. */
static char *to_utf7(const unsigned char *u, size_t length) {
#ifdef REPAIRED
  char *buffer = malloc(length / 2 * 7 + 6);
#else
  char *buffer = malloc(2 * length + 1);
#endif
  char *p = buffer;
  int base64 = 0, bits = 0;
  unsigned value = 0;
  for (; length > 0; u++, length--) {
    unsigned char c = *u;
    if (c >= 32 && c < 127) {
      if (base64) {
        if (bits > 0) *p++ = digits[(value << (6 - bits)) & 63];
        *p++ = '-';
        base64 = 0;
      }
      *p++ = (char)c;
      if (c == '&') *p++ = '-';
    } else {
      if (!base64) {
        *p++ = '&';
        base64 = 1;
        bits = 0;
        value = 0;
      }
      value = value << 16 | c;
      for (bits += 16; bits >= 6; bits -= 6) *p++ = digits[(value >> (bits - 6)) & 63];
      value &= 63;
    }
  }
  if (base64) {
    if (bits > 0) *p++ = digits[(value << (6 - bits)) & 63];
    *p++ = '-';
  }
  *p = 0;
  return buffer;
}

int main(void) {
  unsigned char text[LENGTH];
  symbolic(text, LENGTH, "text");
  for (int i = 0; i < LENGTH; i++) assume(text[i] < 128);
  free(to_utf7(text, LENGTH));
  return 0;
}
