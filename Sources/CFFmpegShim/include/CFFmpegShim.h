/* What Swift cannot import of FFmpeg: macros and shapes that differ between 5.1 and 7.1. */
#ifndef CFFMPEGSHIM_H
#define CFFMPEGSHIM_H
#include <errno.h>
#include <libavcodec/avcodec.h>
#include <libavutil/error.h>

static inline int cff_error_again(void) { return AVERROR(EAGAIN); }
static inline int cff_error_eof(void) { return AVERROR_EOF; }
static inline int64_t cff_no_pts(void) { return AV_NOPTS_VALUE; }

#endif
