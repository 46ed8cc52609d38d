/* Made by packaging/page-files.py (make page). */
#include "CWebPage.h"

/* The assembler finds them by the search path of headers. */
#define FILE_BYTES(symbol, name) \
  __asm__(".section .rodata\n" #symbol ":\n.incbin \"" name "\"\n" #symbol "_end:\n.byte 0\n.previous"); \
  extern const unsigned char symbol[], symbol##_end[]

FILE_BYTES(cwp_0, "approval-asking.js"); /* 22eee3b07d84badd */
FILE_BYTES(cwp_1, "approval-banners.js"); /* ca44f38c92543f49 */
FILE_BYTES(cwp_2, "backoff.js"); /* 911abcd5dfd2de3b */
FILE_BYTES(cwp_3, "banners.js"); /* 80387aba22b84bfc */
FILE_BYTES(cwp_4, "bus-plan.js"); /* 45fe3d46d472cc02 */
FILE_BYTES(cwp_5, "camera-controls.js"); /* ad1a60d8bd7eaf2f */
FILE_BYTES(cwp_6, "camera-dialog.js"); /* cf4e51784a03f83f */
FILE_BYTES(cwp_7, "camera-formats.js"); /* 7a144e6929f6e958 */
FILE_BYTES(cwp_8, "camera-tile.js"); /* 382c9dc7f236b497 */
FILE_BYTES(cwp_9, "camera-words.js"); /* 1bcbb352b841b459 */
FILE_BYTES(cwp_10, "control-panel.js"); /* 35ba6118b57f41b1 */
FILE_BYTES(cwp_11, "countdown.js"); /* b05eebe457ae0276 */
FILE_BYTES(cwp_12, "deck-choice.js"); /* a2386c8f1dc47709 */
FILE_BYTES(cwp_13, "dialog.js"); /* 890dfc0554f92d69 */
FILE_BYTES(cwp_14, "dom.js"); /* c3f38cebbd9b7ab6 */
FILE_BYTES(cwp_15, "exact-json.js"); /* 9af09144368879cc */
FILE_BYTES(cwp_16, "help-dialog.js"); /* 19750ff7763cc7f1 */
FILE_BYTES(cwp_17, "icon.svg"); /* 90f39681ab809bca */
FILE_BYTES(cwp_18, "icons.svg"); /* 1c15ec14e8e04702 */
FILE_BYTES(cwp_19, "index.html"); /* bdc7d369e8d13a95 */
FILE_BYTES(cwp_20, "keyboard.js"); /* aa4100890082807f */
FILE_BYTES(cwp_21, "latest-wins.js"); /* cfe98ae25c061a62 */
FILE_BYTES(cwp_22, "listen-button.js"); /* 42017f268674e520 */
FILE_BYTES(cwp_23, "live-picture.js"); /* 3b0daec34bc448a7 */
FILE_BYTES(cwp_24, "live-socket.js"); /* a58eba3e654d3513 */
FILE_BYTES(cwp_25, "live-view.js"); /* 96bb1cc39601ff5f */
FILE_BYTES(cwp_26, "main.js"); /* 2e14e7760f216737 */
FILE_BYTES(cwp_27, "media-header.js"); /* fa63c52ec9338f0c */
FILE_BYTES(cwp_28, "media-link.js"); /* 1a532bedcf3378e0 */
FILE_BYTES(cwp_29, "merge-patch.js"); /* 01ec76cb54143cc4 */
FILE_BYTES(cwp_30, "microphone-form.js"); /* 12c114215353b674 */
FILE_BYTES(cwp_31, "microphone-levels.js"); /* 60f3e0579891d561 */
FILE_BYTES(cwp_32, "microphone-settings.js"); /* 04dcfde22808deaa */
FILE_BYTES(cwp_33, "microphones.js"); /* 1df52433f27cd2d1 */
FILE_BYTES(cwp_34, "mjpeg-player.js"); /* 6c26afd33ccad304 */
FILE_BYTES(cwp_35, "monitor-page.js"); /* 7a1752fec4740c5b */
FILE_BYTES(cwp_36, "monitors-view.js"); /* 70e08bd39768ce14 */
FILE_BYTES(cwp_37, "multipart.js"); /* 7b5ebf1521501a19 */
FILE_BYTES(cwp_38, "pairing-code.js"); /* b2e15a3ee0bac385 */
FILE_BYTES(cwp_39, "pairing-view.js"); /* cdc4e944ce8f309e */
FILE_BYTES(cwp_40, "photo-notes.js"); /* 89127253c2c11247 */
FILE_BYTES(cwp_41, "photo-shutter.js"); /* 363252211ef3f89f */
FILE_BYTES(cwp_42, "photos-view.js"); /* 3d750cc5c82254d9 */
FILE_BYTES(cwp_43, "picture-fingers.js"); /* 2fb5353de3de471b */
FILE_BYTES(cwp_44, "picture-form.js"); /* 7401a7d9a5029363 */
FILE_BYTES(cwp_45, "picture-slot.js"); /* 7a5d7d5aa38a1e31 */
FILE_BYTES(cwp_46, "picture-view.js"); /* e6d1f880c8e9dff5 */
FILE_BYTES(cwp_47, "picture-wish.js"); /* fbace5d3204e45a7 */
FILE_BYTES(cwp_48, "preview-form.js"); /* 57428ec963c0881a */
FILE_BYTES(cwp_49, "qr-picture.js"); /* 8dfbd805dd5a4fae */
FILE_BYTES(cwp_50, "rate-cure.js"); /* 131725ed79e4bce7 */
FILE_BYTES(cwp_51, "rig-link.js"); /* 6fa98c90cf9322dc */
FILE_BYTES(cwp_52, "rig-slider.js"); /* 2aa9cb12a052955e */
FILE_BYTES(cwp_53, "rig-state.js"); /* 5dfed1d23b1c2464 */
FILE_BYTES(cwp_54, "route.js"); /* 1745589fc3288726 */
FILE_BYTES(cwp_55, "rpc.js"); /* 8d6ba6cb031968c6 */
FILE_BYTES(cwp_56, "selection.js"); /* b1da4a805239758b */
FILE_BYTES(cwp_57, "session.js"); /* 5467393805400ac4 */
FILE_BYTES(cwp_58, "shutter-aim.js"); /* 9709ea30c0507cca */
FILE_BYTES(cwp_59, "shutter-deck.js"); /* 386870b218c38ae6 */
FILE_BYTES(cwp_60, "signal.js"); /* 9186202e39a73af4 */
FILE_BYTES(cwp_61, "sound-meter.js"); /* acaea53278743dfc */
FILE_BYTES(cwp_62, "sound-player.js"); /* 4e15f8f229eac561 */
FILE_BYTES(cwp_63, "sound-schedule.js"); /* fbc0d6a87bed06fb */
FILE_BYTES(cwp_64, "style.css"); /* 1354a6ef91441039 */
FILE_BYTES(cwp_65, "take-detail.js"); /* b5e4d734c9d1a3dc */
FILE_BYTES(cwp_66, "takes-view.js"); /* 2cf481a2419de23c */
FILE_BYTES(cwp_67, "text.js"); /* e204e8f23af39eb5 */
FILE_BYTES(cwp_68, "theme.js"); /* aa81595ab28691d6 */
FILE_BYTES(cwp_69, "timelapse-shutter.js"); /* 1676087da0cd3224 */
FILE_BYTES(cwp_70, "toasts.js"); /* 21fa0f286c0d3617 */
FILE_BYTES(cwp_71, "torch-button.js"); /* 4514950fbad5bd6d */
FILE_BYTES(cwp_72, "troubles.js"); /* 8839c113b918f2ce */
FILE_BYTES(cwp_73, "video-shutter.js"); /* 93dbadb93cc047c8 */
FILE_BYTES(cwp_74, "wake-lock.js"); /* 6d97dbd034ad4d0a */
FILE_BYTES(cwp_75, "waking.js"); /* 1e4aeb47fa52c5f8 */

static const cwp_file files[] = {
  {"approval-asking.js", cwp_0, cwp_0_end},
  {"approval-banners.js", cwp_1, cwp_1_end},
  {"backoff.js", cwp_2, cwp_2_end},
  {"banners.js", cwp_3, cwp_3_end},
  {"bus-plan.js", cwp_4, cwp_4_end},
  {"camera-controls.js", cwp_5, cwp_5_end},
  {"camera-dialog.js", cwp_6, cwp_6_end},
  {"camera-formats.js", cwp_7, cwp_7_end},
  {"camera-tile.js", cwp_8, cwp_8_end},
  {"camera-words.js", cwp_9, cwp_9_end},
  {"control-panel.js", cwp_10, cwp_10_end},
  {"countdown.js", cwp_11, cwp_11_end},
  {"deck-choice.js", cwp_12, cwp_12_end},
  {"dialog.js", cwp_13, cwp_13_end},
  {"dom.js", cwp_14, cwp_14_end},
  {"exact-json.js", cwp_15, cwp_15_end},
  {"help-dialog.js", cwp_16, cwp_16_end},
  {"icon.svg", cwp_17, cwp_17_end},
  {"icons.svg", cwp_18, cwp_18_end},
  {"index.html", cwp_19, cwp_19_end},
  {"keyboard.js", cwp_20, cwp_20_end},
  {"latest-wins.js", cwp_21, cwp_21_end},
  {"listen-button.js", cwp_22, cwp_22_end},
  {"live-picture.js", cwp_23, cwp_23_end},
  {"live-socket.js", cwp_24, cwp_24_end},
  {"live-view.js", cwp_25, cwp_25_end},
  {"main.js", cwp_26, cwp_26_end},
  {"media-header.js", cwp_27, cwp_27_end},
  {"media-link.js", cwp_28, cwp_28_end},
  {"merge-patch.js", cwp_29, cwp_29_end},
  {"microphone-form.js", cwp_30, cwp_30_end},
  {"microphone-levels.js", cwp_31, cwp_31_end},
  {"microphone-settings.js", cwp_32, cwp_32_end},
  {"microphones.js", cwp_33, cwp_33_end},
  {"mjpeg-player.js", cwp_34, cwp_34_end},
  {"monitor-page.js", cwp_35, cwp_35_end},
  {"monitors-view.js", cwp_36, cwp_36_end},
  {"multipart.js", cwp_37, cwp_37_end},
  {"pairing-code.js", cwp_38, cwp_38_end},
  {"pairing-view.js", cwp_39, cwp_39_end},
  {"photo-notes.js", cwp_40, cwp_40_end},
  {"photo-shutter.js", cwp_41, cwp_41_end},
  {"photos-view.js", cwp_42, cwp_42_end},
  {"picture-fingers.js", cwp_43, cwp_43_end},
  {"picture-form.js", cwp_44, cwp_44_end},
  {"picture-slot.js", cwp_45, cwp_45_end},
  {"picture-view.js", cwp_46, cwp_46_end},
  {"picture-wish.js", cwp_47, cwp_47_end},
  {"preview-form.js", cwp_48, cwp_48_end},
  {"qr-picture.js", cwp_49, cwp_49_end},
  {"rate-cure.js", cwp_50, cwp_50_end},
  {"rig-link.js", cwp_51, cwp_51_end},
  {"rig-slider.js", cwp_52, cwp_52_end},
  {"rig-state.js", cwp_53, cwp_53_end},
  {"route.js", cwp_54, cwp_54_end},
  {"rpc.js", cwp_55, cwp_55_end},
  {"selection.js", cwp_56, cwp_56_end},
  {"session.js", cwp_57, cwp_57_end},
  {"shutter-aim.js", cwp_58, cwp_58_end},
  {"shutter-deck.js", cwp_59, cwp_59_end},
  {"signal.js", cwp_60, cwp_60_end},
  {"sound-meter.js", cwp_61, cwp_61_end},
  {"sound-player.js", cwp_62, cwp_62_end},
  {"sound-schedule.js", cwp_63, cwp_63_end},
  {"style.css", cwp_64, cwp_64_end},
  {"take-detail.js", cwp_65, cwp_65_end},
  {"takes-view.js", cwp_66, cwp_66_end},
  {"text.js", cwp_67, cwp_67_end},
  {"theme.js", cwp_68, cwp_68_end},
  {"timelapse-shutter.js", cwp_69, cwp_69_end},
  {"toasts.js", cwp_70, cwp_70_end},
  {"torch-button.js", cwp_71, cwp_71_end},
  {"troubles.js", cwp_72, cwp_72_end},
  {"video-shutter.js", cwp_73, cwp_73_end},
  {"wake-lock.js", cwp_74, cwp_74_end},
  {"waking.js", cwp_75, cwp_75_end},
};

const cwp_file *cwp_files(int *count) {
  *count = 76;
  return files;
}
