#include "CFFmpegShim.h"

#include <libavutil/log.h>
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
