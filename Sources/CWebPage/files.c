/* Made by packaging/page-files.py (make page). */
#include "CWebPage.h"

/* The assembler finds them by the search path of headers. */
#define FILE_BYTES(symbol, name) \
  __asm__(".section .rodata\n" #symbol ":\n.incbin \"" name "\"\n" #symbol "_end:\n.byte 0\n.previous"); \
  extern const unsigned char symbol[], symbol##_end[]

FILE_BYTES(cwp_0, "approval-asking.js"); /* 22eee3b07d84badd */
FILE_BYTES(cwp_1, "approval-banners.js"); /* ca44f38c92543f49 */
FILE_BYTES(cwp_2, "backoff.js"); /* 911abcd5dfd2de3b */
FILE_BYTES(cwp_3, "banners.js"); /* 1d809a167f51f208 */
FILE_BYTES(cwp_4, "camera-dialog.js"); /* dbff6940118f27a8 */
FILE_BYTES(cwp_5, "camera-formats.js"); /* 7a144e6929f6e958 */
FILE_BYTES(cwp_6, "camera-tile.js"); /* cb2f19be5896a912 */
FILE_BYTES(cwp_7, "camera-words.js"); /* 6c072e29809808bc */
FILE_BYTES(cwp_8, "dialog.js"); /* 890dfc0554f92d69 */
FILE_BYTES(cwp_9, "dom.js"); /* 6d2bd9dc4ee2d6f0 */
FILE_BYTES(cwp_10, "help-dialog.js"); /* 19750ff7763cc7f1 */
FILE_BYTES(cwp_11, "icon.svg"); /* 90f39681ab809bca */
FILE_BYTES(cwp_12, "icons.svg"); /* 63124d3fd9861b09 */
FILE_BYTES(cwp_13, "index.html"); /* bdc7d369e8d13a95 */
FILE_BYTES(cwp_14, "keyboard.js"); /* 942f0e8770e9c886 */
FILE_BYTES(cwp_15, "live-picture.js"); /* 3b0daec34bc448a7 */
FILE_BYTES(cwp_16, "live-socket.js"); /* 5f9012f0e0f68930 */
FILE_BYTES(cwp_17, "live-view.js"); /* 8d0ffeff1d32c127 */
FILE_BYTES(cwp_18, "main.js"); /* ed0c79058cdaae82 */
FILE_BYTES(cwp_19, "media-header.js"); /* 6d3daf8135b3df65 */
FILE_BYTES(cwp_20, "media-link.js"); /* 2f91a85276d4178e */
FILE_BYTES(cwp_21, "merge-patch.js"); /* 01ec76cb54143cc4 */
FILE_BYTES(cwp_22, "mjpeg-player.js"); /* acb87a2924200260 */
FILE_BYTES(cwp_23, "monitor-page.js"); /* 32f09a3dd6a59ab9 */
FILE_BYTES(cwp_24, "monitors-view.js"); /* d31d09e0ddc96413 */
FILE_BYTES(cwp_25, "multipart.js"); /* 7b5ebf1521501a19 */
FILE_BYTES(cwp_26, "pairing-code.js"); /* 005cd64a5842971f */
FILE_BYTES(cwp_27, "pairing-view.js"); /* cdc4e944ce8f309e */
FILE_BYTES(cwp_28, "picture-slot.js"); /* 7a5d7d5aa38a1e31 */
FILE_BYTES(cwp_29, "preview-form.js"); /* c174a1f8883e0fe1 */
FILE_BYTES(cwp_30, "record-deck.js"); /* 1ef2b5e05506e49c */
FILE_BYTES(cwp_31, "rig-link.js"); /* 15b0181c724445eb */
FILE_BYTES(cwp_32, "rig-state.js"); /* 5dfed1d23b1c2464 */
FILE_BYTES(cwp_33, "route.js"); /* ad5bb125ec2d4230 */
FILE_BYTES(cwp_34, "rpc.js"); /* 8db96d7d150710a5 */
FILE_BYTES(cwp_35, "selection.js"); /* 26420ad99f00133d */
FILE_BYTES(cwp_36, "session.js"); /* 5467393805400ac4 */
FILE_BYTES(cwp_37, "signal.js"); /* 9186202e39a73af4 */
FILE_BYTES(cwp_38, "style.css"); /* a4ab70bb7bab0ead */
FILE_BYTES(cwp_39, "take-detail.js"); /* 32860283eb0dfb96 */
FILE_BYTES(cwp_40, "takes-view.js"); /* f4a755f65931d320 */
FILE_BYTES(cwp_41, "text.js"); /* e204e8f23af39eb5 */
FILE_BYTES(cwp_42, "theme.js"); /* aa81595ab28691d6 */
FILE_BYTES(cwp_43, "toasts.js"); /* 21fa0f286c0d3617 */
FILE_BYTES(cwp_44, "troubles.js"); /* 640119cb209a00fb */
FILE_BYTES(cwp_45, "wake-lock.js"); /* b9f109386acead2a */

static const cwp_file files[] = {
  {"approval-asking.js", cwp_0, cwp_0_end},
  {"approval-banners.js", cwp_1, cwp_1_end},
  {"backoff.js", cwp_2, cwp_2_end},
  {"banners.js", cwp_3, cwp_3_end},
  {"camera-dialog.js", cwp_4, cwp_4_end},
  {"camera-formats.js", cwp_5, cwp_5_end},
  {"camera-tile.js", cwp_6, cwp_6_end},
  {"camera-words.js", cwp_7, cwp_7_end},
  {"dialog.js", cwp_8, cwp_8_end},
  {"dom.js", cwp_9, cwp_9_end},
  {"help-dialog.js", cwp_10, cwp_10_end},
  {"icon.svg", cwp_11, cwp_11_end},
  {"icons.svg", cwp_12, cwp_12_end},
  {"index.html", cwp_13, cwp_13_end},
  {"keyboard.js", cwp_14, cwp_14_end},
  {"live-picture.js", cwp_15, cwp_15_end},
  {"live-socket.js", cwp_16, cwp_16_end},
  {"live-view.js", cwp_17, cwp_17_end},
  {"main.js", cwp_18, cwp_18_end},
  {"media-header.js", cwp_19, cwp_19_end},
  {"media-link.js", cwp_20, cwp_20_end},
  {"merge-patch.js", cwp_21, cwp_21_end},
  {"mjpeg-player.js", cwp_22, cwp_22_end},
  {"monitor-page.js", cwp_23, cwp_23_end},
  {"monitors-view.js", cwp_24, cwp_24_end},
  {"multipart.js", cwp_25, cwp_25_end},
  {"pairing-code.js", cwp_26, cwp_26_end},
  {"pairing-view.js", cwp_27, cwp_27_end},
  {"picture-slot.js", cwp_28, cwp_28_end},
  {"preview-form.js", cwp_29, cwp_29_end},
  {"record-deck.js", cwp_30, cwp_30_end},
  {"rig-link.js", cwp_31, cwp_31_end},
  {"rig-state.js", cwp_32, cwp_32_end},
  {"route.js", cwp_33, cwp_33_end},
  {"rpc.js", cwp_34, cwp_34_end},
  {"selection.js", cwp_35, cwp_35_end},
  {"session.js", cwp_36, cwp_36_end},
  {"signal.js", cwp_37, cwp_37_end},
  {"style.css", cwp_38, cwp_38_end},
  {"take-detail.js", cwp_39, cwp_39_end},
  {"takes-view.js", cwp_40, cwp_40_end},
  {"text.js", cwp_41, cwp_41_end},
  {"theme.js", cwp_42, cwp_42_end},
  {"toasts.js", cwp_43, cwp_43_end},
  {"troubles.js", cwp_44, cwp_44_end},
  {"wake-lock.js", cwp_45, cwp_45_end},
};

const cwp_file *cwp_files(int *count) {
  *count = 46;
  return files;
}
