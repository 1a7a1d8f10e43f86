/* What a C library would have: what the library and its programs use of string.h, a byte at a time.
 */
#include <stdint.h>
#include <string.h>

#pragma GCC optimize(                                                                              \
    "no-tree-loop-distribute-patterns") /* or these loops become calls of themselves */

void *memcpy(void *restrict to, const void *restrict from, size_t bytes) {
  unsigned char *out = to;
  for (const unsigned char *in = from; bytes > 0; --bytes)
    *out++ = *in++;
  return to;
}

void *memmove(void *to, const void *from, size_t bytes) {
  unsigned char *out = to;
  const unsigned char *in = from;
  if (out <= in || out >= in + bytes)
    return memcpy(to, from, bytes);
  while (bytes > 0) {
    --bytes;
    out[bytes] = in[bytes];
  }
  return to;
}

void *memset(void *to, int value, size_t bytes) {
  for (unsigned char *out = to; bytes > 0; --bytes)
    *out++ = (unsigned char)value;
  return to;
}

int memcmp(const void *left, const void *right, size_t bytes) {
  const unsigned char *a = left, *b = right;
  for (; bytes > 0; --bytes, ++a, ++b)
    if (*a != *b)
      return *a - *b;
  return 0;
}

void *memchr(const void *in, int value, size_t bytes) {
  for (const unsigned char *at = in; bytes > 0; --bytes, ++at)
    if (*at == (unsigned char)value)
      return (void *)(uintptr_t)at;
  return NULL;
}

size_t strlen(const char *text) {
  size_t length = 0;
  while (text[length] != '\0')
    ++length;
  return length;
}

int strncmp(const char *left, const char *right, size_t bytes) {
  for (; bytes > 0 && *left != '\0' && *left == *right; ++left, ++right)
    --bytes;
  return bytes == 0 ? 0 : (unsigned char)*left - (unsigned char)*right;
}

int strcmp(const char *left, const char *right) { return strncmp(left, right, SIZE_MAX); }

char *strchr(const char *text, int value) { return memchr(text, value, strlen(text) + 1); }

char *strrchr(const char *text, int value) {
  for (size_t at = strlen(text) + 1; at > 0; --at)
    if (text[at - 1] == (char)value)
      return (char *)(uintptr_t)(text + at - 1);
  return NULL;
}
