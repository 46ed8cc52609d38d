/* What Swift cannot import of FFmpeg: macros, variadic calls, and shapes that differ between 5.1 and 7.1. */
#ifndef CFFMPEGSHIM_H
#define CFFMPEGSHIM_H
#include <errno.h>
#include <libavcodec/avcodec.h>
#include <libavutil/error.h>
#include <stdint.h>

static inline int cff_error_again(void) { return AVERROR(EAGAIN); }
static inline int cff_error_eof(void) { return AVERROR_EOF; }
static inline int64_t cff_no_pts(void) { return AV_NOPTS_VALUE; }

/* From now on nothing of libav goes to stderr by itself. May be called again and again. */
void cff_log_install(void);
/* Forgets what this thread's calls into libav have said. */
void cff_log_clear(void);
/* The first error since then, without its line end; "" if there was none. Valid until the thread's next call. */
const char *cff_log_first_error(void);

/* Converts pictures from one pixel format and size to another. */
typedef struct cff_scaler cff_scaler;
/* NULL if libswscale cannot. */
cff_scaler *cff_scaler_make(int width, int height, enum AVPixelFormat from, int to_width, int to_height,
                            enum AVPixelFormat to);
/* Lines written, or negative. */
int cff_scaler_run(cff_scaler *scaler, const AVFrame *from, AVFrame *to);
void cff_scaler_free(cff_scaler *scaler);

#endif
