/* What module Glibc does not give Swift: Linux calls and macros. No logic.
 * _GNU_SOURCE must not be defined here (module Glibc has the same structs without it); what needs it is declared
 * here and stands in clinux.c. */
#ifndef CLINUX_H
#define CLINUX_H
#include "sockets.h"
#include <linux/magic.h>
#include <stdint.h>
#include <sys/epoll.h>
#include <sys/eventfd.h>
#include <sys/inotify.h>
#include <sys/signalfd.h>
#include <sys/statvfs.h>
#include <sys/sysmacros.h>
#include <sys/timerfd.h>
#include <sys/types.h>
#include <sys/uio.h>
#include <sys/un.h>
#include <sys/vfs.h>

/* open with O_CLOEXEC; a descriptor or -errno. */
int cl_open(const char *path, int flags, unsigned mode);

/* Opens what is below a folder by a path relative to it, which leads through no symbolic link and not out of it. The
   folder's own path may. A descriptor, or minus the errno: ELOOP or EXDEV where the path does. */
int cl_open_below(const char *folder, const char *path, int flags);
/* A descriptor (non-blocking, close-on-exec) or -errno. */
int cl_eventfd(void);
/* As "EIO"; NULL: a number without a name. */
const char *cl_errno_name(int number);
/* 0 or -errno. */
int cl_fdatasync(int fd);
/* Whether writes to fd bypass the page cache (O_DIRECT); 0 or -errno: -EINVAL where its file system cannot. */
int cl_set_direct(int fd, int on);
/* For a new thread: its name for ps and gdb (15 bytes at most), and the nice value of the process's first thread.
   A thread inherits that of its maker, and libdispatch's workers set their own (0 by default). */
void cl_thread_begin(const char *name);
/* Nanoseconds of CLOCK_MONOTONIC and of CLOCK_REALTIME. */
int64_t cl_monotonic_ns(void);
int64_t cl_realtime_ns(void);
/* 1: the kernel says that the time of day is synchronised, 0: not, -1: unknown. */
int cl_clock_synchronised(void);
/* The process at the other end of a Unix socket; 0 or -errno. */
int cl_peer(int fd, int *pid, unsigned *uid, unsigned *gid);
/* 1 if `device` (st_rdev) is /dev/null. */
int cl_is_null_device(uint64_t device);
/* Where `pattern` begins first in `bytes`; -1 if nowhere. */
ssize_t cl_find(const void *bytes, size_t count, const void *pattern, size_t pattern_count);
/* A descriptor (non-blocking, close-on-exec) that reads the signals of `numbers`, or -errno. */
int cl_signalfd(const int *numbers, int count);
/* The next signal of a cl_signalfd, or -errno. */
int cl_next_signal(int fd);
/* Removes a directory and all below it, following no link; 0 or -errno. For tests. */
int cl_remove_tree(const char *path);
/* Asks a GPIO chip for a line as an output, off at first; a descriptor that keeps it, or -errno. */
int cl_gpio_output(const char *chip, uint32_t line, int active_low, const char *consumer);
/* Sets such a line; 0 or -errno. */
int cl_gpio_set(int fd, int on);
/* Whether what the process frees stays with it: for work that takes and frees megabytes again and again, which else come
   from the kernel each time, zeroed page by page. Back to 0, all that is free goes. */
void cl_keep_freed_memory(int keep);
/* Pages that the kernel has given this thread so far (minor faults). For tests. */
int64_t cl_new_pages(void);
/* Writes to standard error and standard output, which Swift 6 may not name. */
void cl_put_error(const char *bytes, size_t count);
/* 0, or -errno where not all of it could be written. */
int cl_put_output(const char *bytes, size_t count);

#endif
