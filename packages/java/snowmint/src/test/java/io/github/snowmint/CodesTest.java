package io.github.snowmint;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import io.github.snowmint.internal.Native;
import java.util.Arrays;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;

class CodesTest {
  private final JsonNode rows = Vectors.list(Vectors.document("errors.json"), "errors");

  @Test
  void everyCodeIsInTheTable() {
    assertEquals(rows.size(), Code.values().length);
    for (Code code : Code.values()) {
      JsonNode row = rows.get(code.ordinal());
      assertEquals(row.get("number").intValue(), code.number());
      assertEquals(Vectors.text(row, "name"), code.label());
      assertEquals(Vectors.text(row, "summary"), code.summary());
      assertEquals(code, Code.of(code.number()));
    }
  }

  @Test
  void theNativeSideHasTheSame() {
    long[] numbers = (long[]) Native.codes()[1];
    assertArrayEquals(
        Arrays.stream(Code.values())
            .flatMapToLong(code -> LongStream.of(code.number(), code.isTransient() ? 1 : 0))
            .toArray(),
        numbers);
  }

  @Test
  void aRetryHelpsAgainstAnOutageAndNotAfterAFailover() {
    assertTrue(Code.STORE_UNAVAILABLE.isTransient());
    assertFalse(Code.INCARNATION_CHANGED.isTransient());
  }

  @Test
  void anErrorPrintsItsCode() {
    assertEquals(
        "io.github.snowmint.SnowmintException: tag_exists: orders",
        new SnowmintException(Code.TAG_EXISTS, "orders").toString());
  }
}
