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

/* Converts the rate of interleaved floats, continuously changeable. */
typedef struct cff_resampler cff_resampler;
/* NULL if libswresample cannot. */
cff_resampler *cff_resampler_make(int channels, int rate, int to_rate);
/* From now on `ratio` times as many sample frames come out as the two rates say. 0 or an error of libav. */
int cff_resampler_ratio(cff_resampler *resampler, double ratio);
/* `to` has room for `capacity` sample frames. With `from` NULL the rest comes out, once. How many, or an error. */
int cff_resampler_run(cff_resampler *resampler, const float *from, int count, float *to, int capacity);
/* By how much time the next sample frame to come out is earlier than the next one to go in, in nanoseconds. */
int64_t cff_resampler_delay(cff_resampler *resampler);
void cff_resampler_free(cff_resampler *resampler);

/* So many channels in their usual order, for an encoder or a frame. */
void cff_codec_set_channels(AVCodecContext *context, int channels);
void cff_frame_set_channels(AVFrame *frame, int channels);

#endif
