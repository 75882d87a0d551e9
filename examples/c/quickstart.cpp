// Opens a source, mints an ID, and frees the source.
#include <cinttypes>
#include <cstdio>
#include <memory>
#include <snowmint.h>

// --8<-- [start:mint]
struct FreeSource {
  void operator()(snowmint_source *source) const { snowmint_source_free(source); }
};

int main() {
  snowmint_source *opened;
  std::uint64_t id;
  if (snowmint_source_open("snowflake+sqlite:/tmp/ids.db?create=true", &opened) != SNOWMINT_OK) {
    std::fprintf(stderr, "%s\n", snowmint_last_message());
    return 1;
  }
  const std::unique_ptr<snowmint_source, FreeSource> source(opened);
  if (snowmint_source_next(source.get(), &id) != SNOWMINT_OK) {
    std::fprintf(stderr, "%s\n", snowmint_last_message());
    return 1;
  }
  std::printf("%" PRIu64 "\n", id);
}
// --8<-- [end:mint]
