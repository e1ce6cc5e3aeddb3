/** Models of string.h, strings.h and ctype.h. */
export const STRINGS = String.raw`
size_t strlen(const char *s) { size_t n = 0; while (s[n]) n++; return n; }
size_t strnlen(const char *s, size_t m) { size_t n = 0; while (n < m && s[n]) n++; return n; }
char *strcpy(char *d, const char *s) { size_t i = 0; do d[i] = s[i]; while (s[i++]); return d; }
char *stpcpy(char *d, const char *s) { while ((*d = *s)) { d++; s++; } return d; }
char *strncpy(char *d, const char *s, size_t n) {
  size_t i = 0;
  for (; i < n && s[i]; i++) d[i] = s[i];
  for (; i < n; i++) d[i] = 0;
  return d;
}
char *strcat(char *d, const char *s) { strcpy(d + strlen(d), s); return d; }
char *strncat(char *d, const char *s, size_t n) {
  char *e = d + strlen(d);
  size_t i = 0;
  for (; i < n && s[i]; i++) e[i] = s[i];
  e[i] = 0;
  return d;
}
int memcmp(const void *a, const void *b, size_t n) {
  const unsigned char *x = a, *y = b;
  for (size_t i = 0; i < n; i++) if (x[i] != y[i]) return x[i] < y[i] ? -1 : 1;
  return 0;
}
int strcmp(const char *a, const char *b) {
  const unsigned char *x = (const unsigned char *)a, *y = (const unsigned char *)b;
  while (*x && *x == *y) { x++; y++; }
  return (*x > *y) - (*x < *y);
}
int strncmp(const char *a, const char *b, size_t n) {
  const unsigned char *x = (const unsigned char *)a, *y = (const unsigned char *)b;
  for (size_t i = 0; i < n; i++) {
    if (x[i] != y[i]) return x[i] < y[i] ? -1 : 1;
    if (!x[i]) return 0;
  }
  return 0;
}
char *strchr(const char *s, int c) {
  for (;; s++) { if (*s == (char)c) return (char *)s; if (!*s) return NULL; }
}
char *strrchr(const char *s, int c) {
  const char *found = NULL;
  for (;; s++) { if (*s == (char)c) found = s; if (!*s) return (char *)found; }
}
void *memchr(const void *m, int c, size_t n) {
  const unsigned char *s = m;
  for (size_t i = 0; i < n; i++) if (s[i] == (unsigned char)c) return (void *)(s + i);
  return NULL;
}
size_t strspn(const char *s, const char *set) {
  size_t n = 0;
  for (; s[n]; n++) { size_t i = 0; while (set[i] && set[i] != s[n]) i++; if (!set[i]) break; }
  return n;
}
size_t strcspn(const char *s, const char *set) {
  size_t n = 0;
  for (; s[n]; n++) { size_t i = 0; while (set[i] && set[i] != s[n]) i++; if (set[i]) break; }
  return n;
}
char *strpbrk(const char *s, const char *set) { s += strcspn(s, set); return *s ? (char *)s : NULL; }
char *strstr(const char *s, const char *t) {
  for (;; s++) {
    size_t i = 0;
    while (t[i] && s[i] == t[i]) i++;
    if (!t[i]) return (char *)s;
    if (!*s) return NULL;
  }
}
static char *everypath_token;
char *strtok(char *s, const char *set) {
  if (!s) s = everypath_token;
  if (!s) return NULL;
  s += strspn(s, set);
  if (!*s) { everypath_token = NULL; return NULL; }
  char *end = s + strcspn(s, set);
  if (*end) { *end = 0; everypath_token = end + 1; } else everypath_token = NULL;
  return s;
}
char *strtok_r(char *s, const char *set, char **rest) {
  if (!s) s = *rest;
  if (!s) return NULL;
  s += strspn(s, set);
  if (!*s) { *rest = NULL; return NULL; }
  char *end = s + strcspn(s, set);
  if (*end) { *end = 0; *rest = end + 1; } else *rest = NULL;
  return s;
}
char *strsep(char **text, const char *set) {
  char *s = *text;
  if (!s) return NULL;
  char *end = s + strcspn(s, set);
  if (*end) { *end = 0; *text = end + 1; } else *text = NULL;
  return s;
}
void *mempcpy(void *d, const void *s, size_t n) { memcpy(d, s, n); return (char *)d + n; }
void *memccpy(void *d, const void *s, int c, size_t n) {
  unsigned char *to = d;
  const unsigned char *from = s;
  for (size_t i = 0; i < n; i++) { to[i] = from[i]; if (from[i] == (unsigned char)c) return to + i + 1; }
  return NULL;
}
void *memrchr(const void *m, int c, size_t n) {
  const unsigned char *s = m;
  while (n-- > 0) if (s[n] == (unsigned char)c) return (void *)(s + n);
  return NULL;
}
char *strchrnul(const char *s, int c) { while (*s && *s != (char)c) s++; return (char *)s; }
char *index(const char *s, int c) { return strchr(s, c); }
char *rindex(const char *s, int c) { return strrchr(s, c); }
void bzero(void *m, size_t n) { for (size_t i = 0; i < n; i++) ((char *)m)[i] = 0; }
int bcmp(const void *a, const void *b, size_t n) { return memcmp(a, b, n); }
char *strdup(const char *s) { size_t n = strlen(s) + 1; char *d = malloc(n); return d ? memcpy(d, s, n) : NULL; }
char *strndup(const char *s, size_t m) {
  size_t n = strnlen(s, m);
  char *d = malloc(n + 1);
  if (!d) return NULL;
  memcpy(d, s, n);
  d[n] = 0;
  return d;
}
int islower(int c) { everypath_character(c); return (unsigned)c - 'a' < 26u; }
int isupper(int c) { everypath_character(c); return (unsigned)c - 'A' < 26u; }
int isdigit(int c) { everypath_character(c); return (unsigned)c - '0' < 10u; }
int isalpha(int c) { everypath_character(c); return ((unsigned)c | 32u) - 'a' < 26u; }
int isalnum(int c) { everypath_character(c); return (((unsigned)c | 32u) - 'a' < 26u) | ((unsigned)c - '0' < 10u); }
int isxdigit(int c) { everypath_character(c); return (((unsigned)c | 32u) - 'a' < 6u) | ((unsigned)c - '0' < 10u); }
int isspace(int c) { everypath_character(c); return (c == ' ') | ((unsigned)c - '\t' < 5u); }
int isblank(int c) { everypath_character(c); return (c == ' ') | (c == '\t'); }
int iscntrl(int c) { everypath_character(c); return ((unsigned)c < 32u) | (c == 127); }
int isprint(int c) { everypath_character(c); return (unsigned)c - 32u < 95u; }
int isgraph(int c) { everypath_character(c); return (unsigned)c - 33u < 94u; }
int ispunct(int c) { everypath_character(c); return isgraph(c) & !isalnum(c); }
int tolower(int c) { everypath_character(c); return c + ((((unsigned)c - 'A') < 26u) << 5); }
int toupper(int c) { everypath_character(c); return c - ((((unsigned)c - 'a') < 26u) << 5); }
int strcasecmp(const char *a, const char *b) {
  for (;; a++, b++) {
    int x = tolower((unsigned char)*a), y = tolower((unsigned char)*b);
    if (x != y) return x < y ? -1 : 1;
    if (!x) return 0;
  }
}
int strncasecmp(const char *a, const char *b, size_t n) {
  for (; n; n--, a++, b++) {
    int x = tolower((unsigned char)*a), y = tolower((unsigned char)*b);
    if (x != y) return x < y ? -1 : 1;
    if (!x) return 0;
  }
  return 0;
}
`;
