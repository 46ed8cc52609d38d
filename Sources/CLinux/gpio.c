#define _GNU_SOURCE
#include "CLinux.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/gpio.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

int cl_gpio_output(const char *chip, uint32_t line, int active_low, const char *consumer) {
    int fd = open(chip, O_RDWR | O_CLOEXEC);
    if (fd < 0) return -errno;
    struct gpio_v2_line_request request;
    memset(&request, 0, sizeof request);
    request.offsets[0] = line;
    request.num_lines = 1;
    request.config.flags = GPIO_V2_LINE_FLAG_OUTPUT | (active_low ? GPIO_V2_LINE_FLAG_ACTIVE_LOW : 0);
    strncpy(request.consumer, consumer, sizeof request.consumer - 1);
    int result = ioctl(fd, GPIO_V2_GET_LINE_IOCTL, &request) < 0 ? -errno : request.fd;
    close(fd);
    return result;
}

int cl_gpio_set(int fd, int on) {
    struct gpio_v2_line_values values = {.bits = on ? 1 : 0, .mask = 1};
    return ioctl(fd, GPIO_V2_LINE_SET_VALUES_IOCTL, &values) < 0 ? -errno : 0;
}
