/* The files of the web page, as they are in Sources/Monitor/Web, inside of the program. No logic. */
#ifndef CWEBPAGE_H
#define CWEBPAGE_H

typedef struct {
  const char *name;
  const unsigned char *bytes, *end;
} cwp_file;

/* All of them, in the order of their names. */
const cwp_file *cwp_files(int *count);

#endif
