/*
 * Mints when its input asks for it, so its state is known when an image of it is stored.
 *   open URL     opens one more source; the first has the index 0
 *   mint COUNT   prints so many IDs of each source, each as "INDEX id ID" or "INDEX error NAME"
 *   restore      calls snowmint_on_restore()
 * Each answer ends with a line "end".
 */
#define _POSIX_C_SOURCE 199309L /* nanosleep */
#include <inttypes.h>
#include <snowmint.h>
#include <stdio.h>
#include <string.h>
#include <time.h>

enum { SOURCES_MAX = 32 };

static snowmint_source *sources[SOURCES_MAX];
static size_t opened;

static void print_next(size_t index) {
  char text[SNOWMINT_UUID_SIZE];
  snowmint_kind kind = 0;
  snowmint_uuid uuid;
  uint64_t id = 0;
  snowmint_status status;
  snowmint_source_kind(sources[index], &kind);
  if (kind == SNOWMINT_KIND_UUID) {
    status = snowmint_source_next_uuid(sources[index], &uuid);
    if (status == SNOWMINT_OK) status = snowmint_uuid_format(&uuid, text, sizeof text);
  } else {
    status = kind == SNOWMINT_KIND_SEQUENCES ? snowmint_source_next_of(sources[index], 7, &id)
                                             : snowmint_source_next(sources[index], &id);
    snprintf(text, sizeof text, "%" PRIu64, id);
  }
  if (status == SNOWMINT_OK) printf("%zu id %s\n", index, text);
  else printf("%zu error %s\n", index, snowmint_status_name(status));
}

/* An ID of each source about every millisecond, so twins use the same milliseconds. */
static void mint(size_t count) {
  const struct timespec pause = {0, 1000000};
  for (; count > 0; count--) {
    for (size_t index = 0; index < opened; index++) print_next(index);
    nanosleep(&pause, NULL);
  }
  fflush(stdout);
}

int main(void) {
  static char buffer[1 << 22]; /* An answer of some thousand IDs: no reader slows minting. */
  char line[1024];
  size_t count;
  setvbuf(stdout, buffer, _IOFBF, sizeof buffer);
  while (fgets(line, sizeof line, stdin)) {
    line[strcspn(line, "\n")] = 0;
    if (strncmp(line, "open ", 5) == 0 && opened < SOURCES_MAX) {
      snowmint_status status = snowmint_source_open(line + 5, &sources[opened]);
      if (status == SNOWMINT_OK) opened++;
      else printf("%s\n", snowmint_last_message());
    } else if (sscanf(line, "mint %zu", &count) == 1) {
      mint(count);
    } else if (strcmp(line, "restore") == 0) {
      snowmint_on_restore();
    } else {
      return 2;
    }
    puts("end");
    fflush(stdout);
  }
  return 0;
}
