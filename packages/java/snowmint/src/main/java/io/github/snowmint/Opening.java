package io.github.snowmint;

import io.github.snowmint.internal.Arguments;
import io.github.snowmint.internal.Native;
import io.github.snowmint.internal.Waiting;
import io.github.snowmint.internal.sharing.Apart;

/** Opens sources by their URLs. */
final class Opening {
  private Opening() {}

  /** Opens a source of a kind, by the library's name for it. If that is null, opens any kind. */
  static <S extends IdSource> S open(String kind, String url, Class<S> type) {
    Arguments.text(url, "url");
    boolean isLocal = url.startsWith("uuid:") || url.startsWith("snowflake:");
    IdSource source =
        isLocal
            ? Waiting.blocking(() -> opened(kind, url, false))
            : Apart.open(() -> opened(kind, url, false), IdSource::close);
    return type.cast(source);
  }

  /** Returns a source of a kind, or of any, that opens at its first use. Only the URL is read. */
  static <S extends IdSource> S lazy(String kind, String url, Class<S> type) {
    return type.cast(opened(kind, Arguments.text(url, "url"), true));
  }

  /** Waits until the source of a handle is open. */
  static void check(long handle, long waitMs) {
    Waiting waiting = new Waiting(waitMs);
    for (long pause; (pause = Native.pollOpen(handle, waiting.leftNs())) >= 0; ) {
      waiting.pause(pause);
    }
  }

  private static IdSource opened(String kind, String url, boolean lazy) {
    long[] facts = new long[3];
    long handle = Native.openUrl(kind, url, lazy, facts);
    return switch ((int) facts[0]) {
      case 0 -> new Snowflake(handle, facts[1], Layout.at(facts[2]));
      case 1 -> new Segment(handle, facts[1]);
      case 2 -> new Daily(handle, facts[1]);
      case 4 -> new Sequences(handle, facts[1]);
      case 5 -> new Ring(handle, facts[1], facts[2] == 0 ? null : Layout.at(facts[2]));
      default -> new UuidSource(handle);
    };
  }
}
