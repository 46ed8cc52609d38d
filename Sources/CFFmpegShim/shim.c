#include "CFFmpegShim.h"

#include <libavutil/channel_layout.h>
#include <libavutil/log.h>
#include <libavutil/opt.h>
#include <libswresample/swresample.h>
#include <libswscale/swscale.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static _Thread_local char first_error[512];

static void keep(void *source, int level, const char *format, va_list arguments) {
  (void)source;
  if (level > AV_LOG_ERROR || first_error[0] != 0) return;
  vsnprintf(first_error, sizeof first_error, format, arguments);
  first_error[strcspn(first_error, "\r\n")] = 0;
}

void cff_log_install(void) { av_log_set_callback(keep); }

void cff_log_clear(void) { first_error[0] = 0; }

const char *cff_log_first_error(void) { return first_error; }

struct cff_scaler {
  struct SwsContext *context;
  int height;
};

cff_scaler *cff_scaler_make(int width, int height, enum AVPixelFormat from, int to_width, int to_height,
                            enum AVPixelFormat to) {
  cff_scaler *scaler = calloc(1, sizeof *scaler);
  if (scaler == NULL) return NULL;
  scaler->height = height;
  scaler->context = sws_getContext(width, height, from, to_width, to_height, to, SWS_BILINEAR, NULL, NULL, NULL);
  if (scaler->context == NULL) {
    free(scaler);
    return NULL;
  }
  return scaler;
}

int cff_scaler_run(cff_scaler *scaler, const AVFrame *from, AVFrame *to) {
  return sws_scale(scaler->context, (const uint8_t *const *)from->data, from->linesize, 0, scaler->height,
                   to->data, to->linesize);
}

void cff_scaler_free(cff_scaler *scaler) {
  if (scaler == NULL) return;
  sws_freeContext(scaler->context);
  free(scaler);
}

struct cff_resampler {
  struct SwrContext *context;
};

cff_resampler *cff_resampler_make(int channels, int rate, int to_rate) {
  cff_resampler *resampler = calloc(1, sizeof *resampler);
  if (resampler == NULL) return NULL;
  AVChannelLayout layout;
  av_channel_layout_default(&layout, channels);
  int code = swr_alloc_set_opts2(&resampler->context, &layout, AV_SAMPLE_FMT_FLT, to_rate, &layout, AV_SAMPLE_FMT_FLT,
                                 rate, 0, NULL);
  av_channel_layout_uninit(&layout);
  if (code == 0) {
    /* Also where the rates are the same: they are so by name only. */
    av_opt_set_int(resampler->context, "flags", SWR_FLAG_RESAMPLE, 0);
    /* Between two phases of the filter, or the ratio would be heard; the phases then need not fit the rates. */
    av_opt_set_int(resampler->context, "linear_interp", 1, 0);
    av_opt_set_int(resampler->context, "exact_rational", 0, 0);
    code = swr_init(resampler->context);
  }
  if (code < 0) {
    cff_resampler_free(resampler);
    return NULL;
  }
  return resampler;
}

int cff_resampler_ratio(cff_resampler *resampler, double ratio) {
  /* The distance is never reached: each block says it anew. */
  const int distance = 1 << 30;
  return swr_set_compensation(resampler->context, (int)((ratio - 1) * distance), distance);
}

int cff_resampler_run(cff_resampler *resampler, const float *from, int count, float *to, int capacity) {
  const uint8_t *in[1] = {(const uint8_t *)from};
  uint8_t *out[1] = {(uint8_t *)to};
  return swr_convert(resampler->context, out, capacity, from == NULL ? NULL : in, from == NULL ? 0 : count);
}

int64_t cff_resampler_delay(cff_resampler *resampler) { return swr_get_delay(resampler->context, 1000000000); }

void cff_resampler_free(cff_resampler *resampler) {
  if (resampler == NULL) return;
  swr_free(&resampler->context);
  free(resampler);
}

void cff_codec_set_channels(AVCodecContext *context, int channels) {
  av_channel_layout_uninit(&context->ch_layout);
  av_channel_layout_default(&context->ch_layout, channels);
}

void cff_frame_set_channels(AVFrame *frame, int channels) {
  av_channel_layout_uninit(&frame->ch_layout);
  av_channel_layout_default(&frame->ch_layout, channels);
}
