#define _GNU_SOURCE
#include "CLinux.h"

#include <errno.h>
#include <grp.h>
#include <stddef.h>
#include <string.h>
#include <linux/netlink.h>
#include <linux/rtnetlink.h>
#include <linux/tcp.h>
#include <netinet/in.h>
#include <sys/socket.h>
#include <unistd.h>

int cl_unix_socket(void) {
    int fd = socket(AF_UNIX, SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0);
    return fd < 0 ? -errno : fd;
}

static int address(const char *path, struct sockaddr_un *a, socklen_t *size) {
    size_t length = strlen(path);
    if (length == 0) return -EINVAL;
    if (length >= sizeof a->sun_path) return -ENAMETOOLONG;
    memset(a, 0, sizeof *a);
    a->sun_family = AF_UNIX;
    memcpy(a->sun_path, path, length);
    *size = offsetof(struct sockaddr_un, sun_path) + length + 1;
    if (*path == '@') {
        a->sun_path[0] = 0;
        *size -= 1;
    }
    return 0;
}

int cl_unix_bind(int fd, const char *path) {
    struct sockaddr_un a;
    socklen_t size;
    int result = address(path, &a, &size);
    if (result < 0) return result;
    return bind(fd, (struct sockaddr *)&a, size) < 0 ? -errno : 0;
}

int cl_unix_connect(int fd, const char *path) {
    struct sockaddr_un a;
    socklen_t size;
    int result = address(path, &a, &size);
    if (result < 0) return result;
    do {
        result = connect(fd, (struct sockaddr *)&a, size);
    } while (result < 0 && errno == EINTR);
    return result < 0 ? -errno : 0;
}

int cl_accept(int fd) {
    int client;
    do {
        client = accept4(fd, NULL, NULL, SOCK_NONBLOCK | SOCK_CLOEXEC);
    } while (client < 0 && (errno == EINTR || errno == ECONNABORTED));
    return client < 0 ? -errno : client;
}

ssize_t cl_send(int fd, const void *bytes, size_t count) {
    ssize_t n;
    do {
        n = send(fd, bytes, count, MSG_NOSIGNAL | MSG_DONTWAIT);
    } while (n < 0 && errno == EINTR);
    return n < 0 ? -errno : n;
}

ssize_t cl_read(int fd, void *bytes, size_t count) {
    ssize_t n;
    do {
        n = read(fd, bytes, count);
    } while (n < 0 && errno == EINTR);
    return n < 0 ? -errno : n;
}

int cl_datagram(const char *path, const void *bytes, size_t count, int waits) {
    struct sockaddr_un a;
    socklen_t size;
    int result = address(path, &a, &size);
    if (result < 0) return result;
    int fd = socket(AF_UNIX, SOCK_DGRAM | SOCK_CLOEXEC, 0);
    if (fd < 0) return -errno;
    ssize_t n;
    do {
        n = sendto(fd, bytes, count, MSG_NOSIGNAL | (waits ? 0 : MSG_DONTWAIT), (struct sockaddr *)&a, size);
    } while (n < 0 && errno == EINTR);
    result = n < 0 ? -errno : 0;
    close(fd);
    return result;
}

int64_t cl_group(const char *name) {
    struct group entry, *found = NULL;
    char text[16384];
    return getgrnam_r(name, &entry, text, sizeof text, &found) == 0 && found ? (int64_t)found->gr_gid : -1;
}

int cl_epoll(void) {
    int set = epoll_create1(EPOLL_CLOEXEC);
    return set < 0 ? -errno : set;
}

int cl_epoll_set(int set, int op, int fd, uint32_t events, uint64_t id) {
    struct epoll_event e = {.events = events, .data.u64 = id};
    return epoll_ctl(set, op, fd, &e) < 0 ? -errno : 0;
}

int cl_epoll_wait(int set, uint64_t *ids, uint32_t *events, int most, int milliseconds) {
    struct epoll_event ready[64];
    int n = epoll_wait(set, ready, most < 64 ? most : 64, milliseconds);
    for (int i = 0; i < n; i++) {
        ids[i] = ready[i].data.u64;
        events[i] = ready[i].events;
    }
    return n < 0 ? -errno : n;
}

uint32_t cl_least_round_trip(int fd) {
    struct tcp_info info;
    socklen_t size = sizeof info;
    memset(&info, 0, sizeof info);
    if (getsockopt(fd, IPPROTO_TCP, TCP_INFO, &info, &size) < 0) return 0;
    /* Before the first sample all bits are set. */
    return info.tcpi_min_rtt == UINT32_MAX ? 0 : info.tcpi_min_rtt;
}

int64_t cl_acknowledged(int fd, int *outstanding, uint64_t *received) {
    struct tcp_info info;
    socklen_t size = sizeof info;
    memset(&info, 0, sizeof info);
    *outstanding = 0;
    *received = 0;
    if (getsockopt(fd, IPPROTO_TCP, TCP_INFO, &info, &size) < 0) return -1;
    *outstanding = info.tcpi_unacked > 0 || info.tcpi_notsent_bytes > 0;
    *received = info.tcpi_bytes_received;
    return (int64_t)info.tcpi_bytes_acked;
}

int64_t cl_silence(int fd) {
    struct tcp_info info;
    socklen_t size = sizeof info;
    memset(&info, 0, sizeof info);
    if (getsockopt(fd, IPPROTO_TCP, TCP_INFO, &info, &size) < 0) return -1;
    return info.tcpi_last_ack_recv;
}

void cl_leave_bbr(int fd) {
    char name[16] = "";
    socklen_t size = sizeof name - 1;
    if (getsockopt(fd, IPPROTO_TCP, TCP_CONGESTION, name, &size) < 0 || strncmp(name, "bbr", 3) != 0) return;
    if (setsockopt(fd, IPPROTO_TCP, TCP_CONGESTION, "cubic", 5) < 0) setsockopt(fd, IPPROTO_TCP, TCP_CONGESTION, "reno", 4);
}

int cl_address_watch(void) {
  int fd = socket(AF_NETLINK, SOCK_RAW | SOCK_CLOEXEC | SOCK_NONBLOCK, NETLINK_ROUTE);
  if (fd < 0) return -errno;
  struct sockaddr_nl address = {.nl_family = AF_NETLINK, .nl_groups = RTMGRP_IPV4_IFADDR | RTMGRP_IPV6_IFADDR};
  if (bind(fd, (struct sockaddr *)&address, sizeof address) < 0) {
    int code = errno;
    close(fd);
    return -code;
  }
  return fd;
}
