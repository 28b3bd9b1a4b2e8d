/*
 * Names that Debian's libstdc++ asks of the C library and musl does not have, so that an executable
 * for musl runs with musl's loader and C library where no libstdc++ for musl is to be had.
 * Built with: musl-gcc -shared -fPIC -o ld-linux-x86-64.so.2 glibc-names.c
 */
#include <locale.h>
#include <stddef.h>
#include <sys/random.h>
#include <time.h>

unsigned arc4random(void) {
  unsigned value;
  getrandom(&value, sizeof value, 0);
  return value;
}
size_t __strftime_l(char *to, size_t most, const char *format, const struct tm *time, locale_t locale) {
  return strftime(to, most, format, time);
}
char __libc_single_threaded = 0;
int _dl_find_object(void *at, void *found) { return -1; }
int __cpu_indicator_init(void) { return 0; }
struct { unsigned vendor, type, subtype, features[1]; } __cpu_model;
int __cxa_thread_atexit_impl(void (*run)(void *), void *with, void *of) { return 0; }
