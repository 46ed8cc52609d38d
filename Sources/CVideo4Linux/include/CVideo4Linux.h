/* V4L2 for Swift: ioctl numbers and pixel formats are macros that Swift cannot import. No logic.
 * Each call returns 0 or -errno; EINTR is tried again. */
#ifndef CVIDEO4LINUX_H
#define CVIDEO4LINUX_H
#include <errno.h>
#include <linux/videodev2.h>
#include <stdbool.h>
#include <stdint.h>
#include <string.h>
#include <sys/ioctl.h>

static inline int cv4l2_call(int fd, unsigned long request, void *argument) {
    int result;
    do {
        result = ioctl(fd, request, argument);
    } while (result < 0 && errno == EINTR);
    return result < 0 ? -errno : 0;
}

static inline int cv4l2_querycap(int fd, struct v4l2_capability *c) { return cv4l2_call(fd, VIDIOC_QUERYCAP, c); }
static inline int cv4l2_enum_fmt(int fd, struct v4l2_fmtdesc *d) { return cv4l2_call(fd, VIDIOC_ENUM_FMT, d); }
static inline int cv4l2_enum_framesizes(int fd, struct v4l2_frmsizeenum *s) { return cv4l2_call(fd, VIDIOC_ENUM_FRAMESIZES, s); }
static inline int cv4l2_enum_frameintervals(int fd, struct v4l2_frmivalenum *i) { return cv4l2_call(fd, VIDIOC_ENUM_FRAMEINTERVALS, i); }
static inline int cv4l2_g_fmt(int fd, struct v4l2_format *f) { return cv4l2_call(fd, VIDIOC_G_FMT, f); }
static inline int cv4l2_s_fmt(int fd, struct v4l2_format *f) { return cv4l2_call(fd, VIDIOC_S_FMT, f); }
static inline int cv4l2_try_fmt(int fd, struct v4l2_format *f) { return cv4l2_call(fd, VIDIOC_TRY_FMT, f); }
static inline int cv4l2_g_parm(int fd, struct v4l2_streamparm *p) { return cv4l2_call(fd, VIDIOC_G_PARM, p); }
static inline int cv4l2_s_parm(int fd, struct v4l2_streamparm *p) { return cv4l2_call(fd, VIDIOC_S_PARM, p); }
static inline int cv4l2_reqbufs(int fd, struct v4l2_requestbuffers *r) { return cv4l2_call(fd, VIDIOC_REQBUFS, r); }
static inline int cv4l2_querybuf(int fd, struct v4l2_buffer *b) { return cv4l2_call(fd, VIDIOC_QUERYBUF, b); }
static inline int cv4l2_qbuf(int fd, struct v4l2_buffer *b) { return cv4l2_call(fd, VIDIOC_QBUF, b); }
static inline int cv4l2_dqbuf(int fd, struct v4l2_buffer *b) { return cv4l2_call(fd, VIDIOC_DQBUF, b); }
static inline int cv4l2_streamon(int fd, int type) { return cv4l2_call(fd, VIDIOC_STREAMON, &type); }
static inline int cv4l2_streamoff(int fd, int type) { return cv4l2_call(fd, VIDIOC_STREAMOFF, &type); }
static inline int cv4l2_g_ctrl(int fd, struct v4l2_control *c) { return cv4l2_call(fd, VIDIOC_G_CTRL, c); }
static inline int cv4l2_s_ctrl(int fd, struct v4l2_control *c) { return cv4l2_call(fd, VIDIOC_S_CTRL, c); }
static inline int cv4l2_g_ext_ctrls(int fd, struct v4l2_ext_controls *c) { return cv4l2_call(fd, VIDIOC_G_EXT_CTRLS, c); }
static inline int cv4l2_queryctrl(int fd, struct v4l2_queryctrl *q) { return cv4l2_call(fd, VIDIOC_QUERYCTRL, q); }
static inline int cv4l2_query_ext_ctrl(int fd, struct v4l2_query_ext_ctrl *q) { return cv4l2_call(fd, VIDIOC_QUERY_EXT_CTRL, q); }
static inline int cv4l2_querymenu(int fd, struct v4l2_querymenu *m) { return cv4l2_call(fd, VIDIOC_QUERYMENU, m); }
/* The struct and its anonymous union are packed, which Swift does not import whole. */
static inline int64_t cv4l2_menu_value(const struct v4l2_querymenu *m) { return m->value; }
static inline void cv4l2_menu_name(const struct v4l2_querymenu *m, char name[32]) { memcpy(name, m->name, 32); }
static inline void cv4l2_set_value(struct v4l2_ext_control *c, int32_t value) { c->value = value; }
static inline void cv4l2_set_value64(struct v4l2_ext_control *c, int64_t value) { c->value64 = value; }
static inline void cv4l2_set_string(struct v4l2_ext_control *c, char *string, uint32_t size) { c->string = string; c->size = size; }
static inline int32_t cv4l2_value(const struct v4l2_ext_control *c) { return c->value; }
static inline int64_t cv4l2_value64(const struct v4l2_ext_control *c) { return c->value64; }
static inline int cv4l2_s_ext_ctrls(int fd, struct v4l2_ext_controls *c) { return cv4l2_call(fd, VIDIOC_S_EXT_CTRLS, c); }
static inline int cv4l2_subscribe_event(int fd, struct v4l2_event_subscription *s) { return cv4l2_call(fd, VIDIOC_SUBSCRIBE_EVENT, s); }
static inline int cv4l2_dqevent(int fd, struct v4l2_event *e) { return cv4l2_call(fd, VIDIOC_DQEVENT, e); }
static inline int cv4l2_g_input(int fd, int *index) { return cv4l2_call(fd, VIDIOC_G_INPUT, index); }
static inline int cv4l2_enuminput(int fd, struct v4l2_input *i) { return cv4l2_call(fd, VIDIOC_ENUMINPUT, i); }
static inline int cv4l2_g_dv_timings(int fd, struct v4l2_dv_timings *t) { return cv4l2_call(fd, VIDIOC_G_DV_TIMINGS, t); }
static inline int cv4l2_s_dv_timings(int fd, struct v4l2_dv_timings *t) { return cv4l2_call(fd, VIDIOC_S_DV_TIMINGS, t); }
static inline int cv4l2_query_dv_timings(int fd, struct v4l2_dv_timings *t) { return cv4l2_call(fd, VIDIOC_QUERY_DV_TIMINGS, t); }
/* Size or pixel clock differ; whatever else does makes no other picture. */
static inline bool cv4l2_is_other_signal(const struct v4l2_dv_timings *a, const struct v4l2_dv_timings *b) {
  return a->bt.width != b->bt.width || a->bt.height != b->bt.height || a->bt.interlaced != b->bt.interlaced ||
         a->bt.pixelclock != b->bt.pixelclock;
}

#endif
