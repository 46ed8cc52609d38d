/* Made by packaging/page-files.py (make page). */
#include "CWebPage.h"

/* The assembler finds them by the search path of headers. */
#define FILE_BYTES(symbol, name) \
  __asm__(".section .rodata\n" #symbol ":\n.incbin \"" name "\"\n" #symbol "_end:\n.byte 0\n.previous"); \
  extern const unsigned char symbol[], symbol##_end[]

FILE_BYTES(cwp_0, "index.html"); /* dd4aefc5fd00f828 */

static const cwp_file files[] = {
  {"index.html", cwp_0, cwp_0_end},
};

const cwp_file *cwp_files(int *count) {
  *count = 1;
  return files;
}
