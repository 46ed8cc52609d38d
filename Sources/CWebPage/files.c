/* Made by packaging/page-files.py (make page). */
#include "CWebPage.h"

/* The assembler finds them by the search path of headers. */
#define FILE_BYTES(symbol, name) \
  __asm__(".section .rodata\n" #symbol ":\n.incbin \"" name "\"\n" #symbol "_end:\n.byte 0\n.previous"); \
  extern const unsigned char symbol[], symbol##_end[]

FILE_BYTES(cwp_0, "backoff.js"); /* 911abcd5dfd2de3b */
FILE_BYTES(cwp_1, "banners.js"); /* 1d809a167f51f208 */
FILE_BYTES(cwp_2, "camera-dialog.js"); /* dbff6940118f27a8 */
FILE_BYTES(cwp_3, "camera-formats.js"); /* 7a144e6929f6e958 */
FILE_BYTES(cwp_4, "camera-tile.js"); /* cb2f19be5896a912 */
FILE_BYTES(cwp_5, "camera-words.js"); /* 6c072e29809808bc */
FILE_BYTES(cwp_6, "dialog.js"); /* 890dfc0554f92d69 */
FILE_BYTES(cwp_7, "dom.js"); /* 6d2bd9dc4ee2d6f0 */
FILE_BYTES(cwp_8, "help-dialog.js"); /* 19750ff7763cc7f1 */
FILE_BYTES(cwp_9, "icon.svg"); /* 90f39681ab809bca */
FILE_BYTES(cwp_10, "icons.svg"); /* 63124d3fd9861b09 */
FILE_BYTES(cwp_11, "index.html"); /* bdc7d369e8d13a95 */
FILE_BYTES(cwp_12, "keyboard.js"); /* 942f0e8770e9c886 */
FILE_BYTES(cwp_13, "live-picture.js"); /* 3b0daec34bc448a7 */
FILE_BYTES(cwp_14, "live-socket.js"); /* 5f9012f0e0f68930 */
FILE_BYTES(cwp_15, "live-view.js"); /* 8d0ffeff1d32c127 */
FILE_BYTES(cwp_16, "main.js"); /* ed0c79058cdaae82 */
FILE_BYTES(cwp_17, "media-header.js"); /* 6d3daf8135b3df65 */
FILE_BYTES(cwp_18, "media-link.js"); /* 2f91a85276d4178e */
FILE_BYTES(cwp_19, "merge-patch.js"); /* 01ec76cb54143cc4 */
FILE_BYTES(cwp_20, "mjpeg-player.js"); /* acb87a2924200260 */
FILE_BYTES(cwp_21, "monitor-page.js"); /* 8ba43add4978ee50 */
FILE_BYTES(cwp_22, "monitors-view.js"); /* d31d09e0ddc96413 */
FILE_BYTES(cwp_23, "multipart.js"); /* 7b5ebf1521501a19 */
FILE_BYTES(cwp_24, "pairing-code.js"); /* 005cd64a5842971f */
FILE_BYTES(cwp_25, "pairing-view.js"); /* 834eddca0718041b */
FILE_BYTES(cwp_26, "picture-slot.js"); /* 7a5d7d5aa38a1e31 */
FILE_BYTES(cwp_27, "preview-form.js"); /* c174a1f8883e0fe1 */
FILE_BYTES(cwp_28, "record-deck.js"); /* 1ef2b5e05506e49c */
FILE_BYTES(cwp_29, "rig-link.js"); /* 15b0181c724445eb */
FILE_BYTES(cwp_30, "rig-state.js"); /* 5dfed1d23b1c2464 */
FILE_BYTES(cwp_31, "route.js"); /* ad5bb125ec2d4230 */
FILE_BYTES(cwp_32, "rpc.js"); /* 8db96d7d150710a5 */
FILE_BYTES(cwp_33, "selection.js"); /* 26420ad99f00133d */
FILE_BYTES(cwp_34, "session.js"); /* 8e8e4933506e900d */
FILE_BYTES(cwp_35, "signal.js"); /* 9186202e39a73af4 */
FILE_BYTES(cwp_36, "style.css"); /* 7e91d29784327a8f */
FILE_BYTES(cwp_37, "take-detail.js"); /* 32860283eb0dfb96 */
FILE_BYTES(cwp_38, "takes-view.js"); /* f4a755f65931d320 */
FILE_BYTES(cwp_39, "text.js"); /* e204e8f23af39eb5 */
FILE_BYTES(cwp_40, "theme.js"); /* aa81595ab28691d6 */
FILE_BYTES(cwp_41, "toasts.js"); /* 21fa0f286c0d3617 */
FILE_BYTES(cwp_42, "troubles.js"); /* 640119cb209a00fb */
FILE_BYTES(cwp_43, "wake-lock.js"); /* b9f109386acead2a */

static const cwp_file files[] = {
  {"backoff.js", cwp_0, cwp_0_end},
  {"banners.js", cwp_1, cwp_1_end},
  {"camera-dialog.js", cwp_2, cwp_2_end},
  {"camera-formats.js", cwp_3, cwp_3_end},
  {"camera-tile.js", cwp_4, cwp_4_end},
  {"camera-words.js", cwp_5, cwp_5_end},
  {"dialog.js", cwp_6, cwp_6_end},
  {"dom.js", cwp_7, cwp_7_end},
  {"help-dialog.js", cwp_8, cwp_8_end},
  {"icon.svg", cwp_9, cwp_9_end},
  {"icons.svg", cwp_10, cwp_10_end},
  {"index.html", cwp_11, cwp_11_end},
  {"keyboard.js", cwp_12, cwp_12_end},
  {"live-picture.js", cwp_13, cwp_13_end},
  {"live-socket.js", cwp_14, cwp_14_end},
  {"live-view.js", cwp_15, cwp_15_end},
  {"main.js", cwp_16, cwp_16_end},
  {"media-header.js", cwp_17, cwp_17_end},
  {"media-link.js", cwp_18, cwp_18_end},
  {"merge-patch.js", cwp_19, cwp_19_end},
  {"mjpeg-player.js", cwp_20, cwp_20_end},
  {"monitor-page.js", cwp_21, cwp_21_end},
  {"monitors-view.js", cwp_22, cwp_22_end},
  {"multipart.js", cwp_23, cwp_23_end},
  {"pairing-code.js", cwp_24, cwp_24_end},
  {"pairing-view.js", cwp_25, cwp_25_end},
  {"picture-slot.js", cwp_26, cwp_26_end},
  {"preview-form.js", cwp_27, cwp_27_end},
  {"record-deck.js", cwp_28, cwp_28_end},
  {"rig-link.js", cwp_29, cwp_29_end},
  {"rig-state.js", cwp_30, cwp_30_end},
  {"route.js", cwp_31, cwp_31_end},
  {"rpc.js", cwp_32, cwp_32_end},
  {"selection.js", cwp_33, cwp_33_end},
  {"session.js", cwp_34, cwp_34_end},
  {"signal.js", cwp_35, cwp_35_end},
  {"style.css", cwp_36, cwp_36_end},
  {"take-detail.js", cwp_37, cwp_37_end},
  {"takes-view.js", cwp_38, cwp_38_end},
  {"text.js", cwp_39, cwp_39_end},
  {"theme.js", cwp_40, cwp_40_end},
  {"toasts.js", cwp_41, cwp_41_end},
  {"troubles.js", cwp_42, cwp_42_end},
  {"wake-lock.js", cwp_43, cwp_43_end},
};

const cwp_file *cwp_files(int *count) {
  *count = 44;
  return files;
}
