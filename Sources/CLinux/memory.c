#define _GNU_SOURCE
#include "CLinux.h"
#include <malloc.h>
#include <sys/resource.h>

/* malloc's own limits: an arena's block of 64 MB, and the largest piece that may lie in one. */
#define KEPT (64 << 20)
#define IN_AN_ARENA (32 << 20)

void cl_keep_freed_memory(int keep) {
    if (keep) {
        mallopt(M_TRIM_THRESHOLD, KEPT);
        mallopt(M_MMAP_THRESHOLD, IN_AN_ARENA);
    } else {
        /* The limits stay: set back they would be fixed, while malloc's own grow with what is freed. */
        malloc_trim(0);
    }
}

int64_t cl_new_pages(void) {
    struct rusage usage;
    return getrusage(RUSAGE_THREAD, &usage) == 0 ? usage.ru_minflt : -1;
}
