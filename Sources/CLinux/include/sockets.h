/* Unix sockets: what needs a sockaddr_un, accept4, or flags that module Glibc lacks. Part of CLinux.h. */
#ifndef CLINUX_SOCKETS_H
#define CLINUX_SOCKETS_H
#include <stdint.h>
#include <sys/types.h>

/* A stream socket (non-blocking, close-on-exec) or -errno. */
int cl_unix_socket(void);
/* 0 or -errno; -ENAMETOOLONG where the path does not fit an address (107 bytes). */
int cl_unix_bind(int fd, const char *path);
int cl_unix_connect(int fd, const char *path);
/* The next client (non-blocking, close-on-exec) or -errno. */
int cl_accept(int fd);
/* Never blocks, raises no SIGPIPE; the bytes taken or -errno. */
ssize_t cl_send(int fd, const void *bytes, size_t count);
/* The bytes read (0: the end) or -errno. */
ssize_t cl_read(int fd, void *bytes, size_t count);
/* One datagram to the Unix socket `path` (`@name`: an abstract one), waiting for room or not; 0 or -errno. */
int cl_datagram(const char *path, const void *bytes, size_t count, int waits);
/* The group's number, -1 where there is none of that name. */
int64_t cl_group(const char *name);
/* An epoll set, or -errno; what it watches is known by `id`. `op` is EPOLL_CTL_…; 0 or -errno. */
int cl_epoll(void);
int cl_epoll_set(int set, int op, int fd, uint32_t events, uint64_t id);
/* Which are ready; their number or -errno (-EINTR too). */
int cl_epoll_wait(int set, uint64_t *ids, uint32_t *events, int most, int milliseconds);

/* The shortest round trip that TCP has seen on the connection, in microseconds; 0 where it tells none, or for no TCP. */
uint32_t cl_least_round_trip(int fd);

/* The bytes that the other side's TCP has acknowledged so far; -1 for no TCP. `outstanding`: there are more. `received`:
   the bytes that have come from it. */
int64_t cl_acknowledged(int fd, int *outstanding, uint64_t *received);

/* Milliseconds since the other side's TCP last acknowledged anything, be it that it has no room; -1 for no TCP. */
int64_t cl_silence(int fd);

/* Takes a connection whose congestion control is BBR to cubic, or to reno where only that is permitted. */
void cl_leave_bbr(int fd);

/* A netlink socket (non-blocking, close-on-exec) that becomes readable when addresses of this machine change; or -errno. */
int cl_address_watch(void);

#endif
