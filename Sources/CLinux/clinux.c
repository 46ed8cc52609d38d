#define _GNU_SOURCE
#include "CLinux.h"

#include <errno.h>
#include <fcntl.h>
#include <ftw.h>
#include <limits.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/timex.h>
#include <time.h>
#include <unistd.h>

int cl_open(const char *path, int flags, unsigned mode) {
    int fd;
    do {
        fd = open(path, flags | O_CLOEXEC, mode);
    } while (fd < 0 && errno == EINTR);
    return fd < 0 ? -errno : fd;
}

const char *cl_errno_name(int number) { return strerrorname_np(number); }

/* Folder by folder, since openat2 is not to be had where a service may set no SUID bits (RestrictSUIDSGID=). */
int cl_open_below(const char *folder, const char *path, int flags) {
    int base = cl_open(folder, O_PATH | O_DIRECTORY, 0);
    while (base >= 0) {
        size_t length = strcspn(path, "/");
        int is_last = path[length] == 0;
        char name[NAME_MAX + 1];
        if (length == 0 || length > NAME_MAX) {
            close(base);
            return length == 0 ? -ENOENT : -ENAMETOOLONG;
        }
        memcpy(name, path, length);
        name[length] = 0;
        struct stat found;
        int next;
        if (strcmp(name, "..") == 0) {
            next = -EXDEV;
        } else if (fstatat(base, name, &found, AT_SYMLINK_NOFOLLOW) < 0) {
            next = -errno;
        } else if (S_ISLNK(found.st_mode)) {
            next = -ELOOP;
        } else {
            int how = is_last ? flags : O_PATH | O_DIRECTORY;
            do {
                next = openat(base, name, how | O_NOFOLLOW | O_CLOEXEC);
            } while (next < 0 && errno == EINTR);
            if (next < 0) next = -errno;
        }
        close(base);
        if (is_last) return next;
        base = next;
        path += length + 1;
    }
    return base;
}

int cl_eventfd(void) {
    int fd = eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK);
    return fd < 0 ? -errno : fd;
}

int cl_set_direct(int fd, int on) {
  int flags = fcntl(fd, F_GETFL);
  if (flags < 0) return -errno;
  flags = on ? flags | O_DIRECT : flags & ~O_DIRECT;
  return fcntl(fd, F_SETFL, flags) < 0 ? -errno : 0;
}

int cl_fdatasync(int fd) {
    int result;
    do {
        result = fdatasync(fd);
    } while (result < 0 && errno == EINTR);
    return result < 0 ? -errno : 0;
}

void cl_thread_begin(const char *name) {
    pthread_setname_np(pthread_self(), name);
    errno = 0;
    int nice = getpriority(PRIO_PROCESS, (id_t)getpid());
    /* Not allowed (RLIMIT_NICE): it stays as it is. */
    if (errno == 0) setpriority(PRIO_PROCESS, 0, nice);
}

static int64_t read_clock(clockid_t clock) {
    struct timespec t;
    clock_gettime(clock, &t);
    return (int64_t)t.tv_sec * 1000000000 + t.tv_nsec;
}

int64_t cl_monotonic_ns(void) { return read_clock(CLOCK_MONOTONIC); }
int64_t cl_realtime_ns(void) { return read_clock(CLOCK_REALTIME); }

int cl_clock_synchronised(void) {
    struct timex t = {0};
    int state = adjtimex(&t);
    if (state < 0) return -1;
    return state != TIME_ERROR && !(t.status & STA_UNSYNC);
}

int cl_peer(int fd, int *pid, unsigned *uid, unsigned *gid) {
    struct ucred peer;
    socklen_t size = sizeof peer;
    if (getsockopt(fd, SOL_SOCKET, SO_PEERCRED, &peer, &size) < 0) return -errno;
    *pid = peer.pid;
    *uid = peer.uid;
    *gid = peer.gid;
    return 0;
}

int cl_is_null_device(uint64_t device) { return device == makedev(1, 3); }

ssize_t cl_find(const void *bytes, size_t count, const void *pattern, size_t pattern_count) {
    const char *found = memmem(bytes, count, pattern, pattern_count);
    return found ? found - (const char *)bytes : -1;
}

int cl_signalfd(const int *numbers, int count) {
    sigset_t set;
    sigemptyset(&set);
    for (int i = 0; i < count; i++) sigaddset(&set, numbers[i]);
    int fd = signalfd(-1, &set, SFD_NONBLOCK | SFD_CLOEXEC);
    return fd < 0 ? -errno : fd;
}

int cl_next_signal(int fd) {
    struct signalfd_siginfo info;
    ssize_t n;
    do {
        n = read(fd, &info, sizeof info);
    } while (n < 0 && errno == EINTR);
    return n < 0 ? -errno : (int)info.ssi_signo;
}

static int remove_one(const char *path, const struct stat *s, int kind, struct FTW *at) {
    (void)s, (void)kind, (void)at;
    return remove(path);
}

int cl_remove_tree(const char *path) { return nftw(path, remove_one, 16, FTW_DEPTH | FTW_PHYS) < 0 ? -errno : 0; }

static int put(int fd, const char *bytes, size_t count) {
    while (count > 0) {
        ssize_t n = write(fd, bytes, count);
        if (n < 0 && errno == EINTR) continue;
        if (n <= 0) return n < 0 ? -errno : -EIO;
        bytes += n;
        count -= (size_t)n;
    }
    return 0;
}

void cl_put_error(const char *bytes, size_t count) { put(2, bytes, count); }
int cl_put_output(const char *bytes, size_t count) { return put(1, bytes, count); }
