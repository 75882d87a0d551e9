package io.github.snowmint;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** opaque.json, keys and what is refused. */
class PublicIdKeysTest {
  private static final JsonNode VECTORS = Vectors.document("opaque.json");
  private static final String KEY = "2b7e151628aed2a6abf7158809cf4f3c";
  private static final String OTHER_KEY = "c45b0e97d2136f8ae1704bb85d29fc0d";
  private static final String ONE = "{\"keys\":{\"1\":\"%s\"}}".formatted(KEY);

  @TempDir Path directory;

  private static PublicIdKeys opened(String document) {
    return PublicIdKeys.fromBytes(document.getBytes(StandardCharsets.UTF_8));
  }

  private static PublicIds orders() {
    return opened(ONE).publicIds("order");
  }

  /** A row's public IDs, made by the key that it names, of all keys of its keyring. */
  private static PublicIds ofRow(JsonNode row, PublicIdForm form) {
    for (JsonNode keyring : Vectors.list(VECTORS, "keyrings")) {
      if (Vectors.text(keyring, "name").equals(Vectors.text(row, "keyring"))) {
        ObjectNode document = keyring.deepCopy();
        document.remove("name");
        if (row.has("key")) {
          document.set("current", row.get("key"));
        }
        return opened(document.toString()).publicIds(Vectors.text(row, "type"), form);
      }
    }
    throw new AssertionError("no keyring for " + row);
  }

  private static String hyphened(String digits) {
    return digits.replaceFirst("(.{8})(.{4})(.{4})(.{4})", "$1-$2-$3-$4-");
  }

  /** A row's text in a form, or null. */
  private static String text(JsonNode row, PublicIdForm form) {
    return switch (form) {
      case UUID -> hyphened(Vectors.text(row, "uuid"));
      case NUMBER64 -> Vectors.optional(row, "number_64");
      case NUMBER63 -> Vectors.optional(row, "number_63");
      case NUMBER53 -> Vectors.optional(row, "number_53");
      default -> Vectors.text(row, form.label());
    };
  }

  @Test
  void forms() {
    for (PublicIdForm form : PublicIdForm.values()) {
      assertEquals(form.name().toLowerCase(Locale.ROOT), form.label());
      assertEquals(form, PublicIdForm.named(form.label()));
    }
    SnowmintException unknown =
        Vectors.refused(Code.UNKNOWN_TEXT_FORM, () -> PublicIdForm.named("crockford"));
    assertEquals(
        "no public form is called \"crockford\"; there are token, base64url, uuid, number64,"
            + " number63, number53",
        unknown.getMessage());
  }

  @Test
  void everyIdInEveryForm() {
    for (JsonNode row : Vectors.list(VECTORS, "ids")) {
      long id = Vectors.wide(row, "id");
      for (PublicIdForm form : PublicIdForm.values()) {
        PublicIds ids = ofRow(row, form);
        String text = text(row, form);
        if (text == null) {
          Vectors.refused(Code.INVALID_PARAMETER, () -> ids.encode(id));
          continue;
        }
        assertEquals(text, ids.encode(id));
        assertEquals(id, ids.decode(text));
        assertArrayEquals(new String[] {text}, ids.encodeAll(id));
        assertArrayEquals(new long[] {id}, ids.decodeAll(text));
        if (form == PublicIdForm.UUID) {
          assertEquals(UUID.fromString(text), ids.encodeUuid(id));
          assertEquals(id, ids.decodeUuid(UUID.fromString(text)));
        } else if (form.label().startsWith("number")) {
          int bits = Integer.parseInt(form.label().substring(6));
          assertEquals(Long.parseUnsignedLong(text), ids.encodeNumber(id, bits));
          assertEquals(id, ids.decodeNumber(Long.parseUnsignedLong(text), bits));
        }
      }
    }
  }

  @Test
  void whatIsRefused() {
    for (JsonNode row : Vectors.list(VECTORS, "refused")) {
      PublicIdForm form = PublicIdForm.named(Vectors.text(row, "form"));
      String given = Vectors.text(row, "text");
      String text = form == PublicIdForm.UUID ? hyphened(given) : given;
      Code code = Code.valueOf(Vectors.text(row, "error").toUpperCase(Locale.ROOT));
      PublicIds ids = ofRow(row, form);
      Vectors.refused(code, () -> ids.decode(text));
      SnowmintException many = Vectors.refused(code, () -> ids.decodeAll(text));
      assertTrue(many.getMessage().startsWith("at index 0: "), many::getMessage);
    }
    for (JsonNode row : Vectors.list(VECTORS, "refused_keys")) {
      Code code = Code.valueOf(Vectors.text(row, "error").toUpperCase(Locale.ROOT));
      Vectors.refused(code, () -> opened(Vectors.text(row, "document")));
    }
  }

  @Test
  void aFileIsForItsOwnerAlone() throws Exception {
    Path file = Files.writeString(directory.resolve("keys.toml"), opened(ONE).toToml());
    String token = orders().encode(7);
    Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rw-------"));
    assertEquals(7, PublicIdKeys.open(file.toString()).publicIds("order").decode(token));
    for (String mode : new String[] {"rw----r--", "rw--w----"}) {
      Files.setPosixFilePermissions(file, PosixFilePermissions.fromString(mode));
      SnowmintException error =
          Vectors.refused(Code.KEYS_EXPOSED, () -> PublicIdKeys.open(file.toString()));
      assertTrue(error.getMessage().contains("chmod 600"), error::getMessage);
    }
    Vectors.refused(Code.INVALID_KEYS, () -> PublicIdKeys.open(file + ".none"));
    Vectors.refused(Code.INVALID_KEYS, () -> PublicIdKeys.open(directory.toString()));
    SnowmintException unset =
        Vectors.refused(Code.INVALID_KEYS, () -> PublicIdKeys.open("env:SNOWMINT_IS_NOT_SET"));
    assertTrue(unset.getMessage().contains("SNOWMINT_IS_NOT_SET has no keys"), unset::getMessage);
  }

  @Test
  void oldFormsAreReadAfterARotation() {
    String token = orders().encode(7);
    String keys = "\"keys\":{\"1\":\"%s\",\"2\":\"%s\"}}".formatted(KEY, OTHER_KEY);
    PublicIdKeys both = opened("{\"realm\":\"\",\"current\":\"2\",\"numbers\":\"1\"," + keys);
    assertEquals(List.of('1', '2'), both.symbols());
    assertEquals('2', both.current());
    assertEquals(Optional.of('1'), both.numbers());
    assertEquals("", both.realm());
    assertEquals(7, both.publicIds("order").decode(token));
    assertTrue(both.publicIds("order").encode(7).startsWith("order_2"));
    PublicIds after = opened("{\"keys\":{\"2\":\"%s\"}}".formatted(OTHER_KEY)).publicIds("order");
    SnowmintException away = Vectors.refused(Code.NOT_FOUND, () -> after.decode(token));
    assertEquals("there is no such ID", away.getMessage());
    PublicIdKeys unnamed = opened("{\"current\":\"2\"," + keys);
    assertEquals(Optional.empty(), unnamed.numbers());
    PublicIds numbers = unnamed.publicIds("order", PublicIdForm.NUMBER64);
    Vectors.refused(Code.INVALID_KEYS, () -> numbers.encode(7));
  }

  @Test
  void generatedKeys() {
    PublicIdKeys keys = PublicIdKeys.generate();
    String token = keys.publicIds("order").encode(7);
    assertEquals(7, opened(keys.toToml()).publicIds("order").decode(token));
    Vectors.refused(Code.NOT_FOUND, () -> PublicIdKeys.generate().publicIds("order").decode(token));
  }

  @Test
  void noKeyIsShown() {
    String two = "{\"current\":\"2\",\"keys\":{\"1\":\"%s\",\"2\":\"%s\"}}";
    assertEquals(
        "PublicIdKeys[symbols=[1, 2], current=2]",
        opened(two.formatted(KEY, OTHER_KEY)).toString());
    for (String document :
        new String[] {ONE.replace(KEY, KEY + "x"), "keys = \"" + KEY + "\"", "{\"" + KEY + "\":1}"}) {
      SnowmintException error = Vectors.refused(Code.INVALID_KEYS, () -> opened(document));
      assertFalse(error.toString().contains(KEY), error::toString);
    }
  }

  @Test
  void wrongArguments() {
    PublicIdKeys keys = opened(ONE);
    PublicIds ids = keys.publicIds("order");
    for (String type : new String[] {"", "Order", "1st", "a_", "a".repeat(33), "\ud800", null}) {
      Vectors.refused(Code.INVALID_PARAMETER, () -> keys.publicIds(type));
    }
    assertEquals(60, keys.publicIds("a".repeat(32)).encode(7).length());
    Vectors.refused(Code.INVALID_PARAMETER, () -> keys.publicIds("order", null));
    Vectors.refused(Code.INVALID_PARAMETER, () -> PublicIdKeys.open(null));
    Vectors.refused(Code.INVALID_PARAMETER, () -> PublicIdKeys.open("\udc00"));
    Vectors.refused(Code.INVALID_PARAMETER, () -> PublicIdKeys.fromBytes(null));
    Vectors.refused(Code.INVALID_KEYS, () -> PublicIdKeys.fromBytes(new byte[] {-1, -2}));
    Vectors.refused(Code.INVALID_PARAMETER, () -> ids.decode(null));
    Vectors.refused(Code.INVALID_PARAMETER, () -> ids.decodeAll("order_", null));
    Vectors.refused(Code.INVALID_PARAMETER, () -> ids.decodeAll((String[]) null));
    Vectors.refused(Code.INVALID_PARAMETER, () -> ids.encodeAll((long[]) null));
    Vectors.refused(Code.INVALID_PARAMETER, () -> ids.decodeUuid(null));
    Vectors.refused(Code.NOT_FOUND, () -> ids.decodeUuid(UUID.randomUUID()));
    for (int bits : new int[] {62, 0, -1, Integer.MIN_VALUE}) {
      Vectors.refused(Code.INVALID_PARAMETER, () -> ids.encodeNumber(7, bits));
    }
    Vectors.refused(Code.INVALID_PARAMETER, () -> ids.decodeNumber(1L << 53, 53));
  }

  @Test
  void textsThatOnlyLookAlike() {
    PublicIds ids = orders();
    String token = ids.encode(7);
    List<Code> codes = List.of(Code.WRONG_TYPE, Code.TEXT_LENGTH, Code.INVALID_TEXT);
    String[] texts = {
      token + "\0",
      token + " ".repeat(200),
      "x".repeat(1 << 20),
      // By its low byte the letter that it stands for, and halves of pairs.
      token.replace('o', '\u016f'),
      token.substring(0, 32) + '\ud800',
      "\ud800",
      "order_\u00e9",
    };
    for (String text : texts) {
      SnowmintException error =
          assertThrows(SnowmintException.class, () -> ids.decode(text));
      assertTrue(codes.contains(error.code()), error::toString);
    }
  }

  /** Every number is an ID, also the one by which the native side says that there is none. */
  @Test
  void theIdThatStandsForNone() {
    for (PublicIdForm form : new PublicIdForm[] {PublicIdForm.TOKEN, PublicIdForm.NUMBER64}) {
      PublicIds ids = opened(ONE).publicIds("order", form);
      assertEquals(Long.MIN_VALUE, ids.decode(ids.encode(Long.MIN_VALUE)));
    }
  }

  @Test
  void many() {
    PublicIds ids = orders();
    long[] numbers = LongStream.range(0, 5_000).map(n -> n << 40).toArray();
    String[] tokens = ids.encodeAll(numbers);
    assertEquals(numbers.length, new HashSet<>(Arrays.asList(tokens)).size());
    assertArrayEquals(numbers, ids.decodeAll(tokens));
    assertEquals(0, ids.encodeAll().length);
    assertEquals(0, ids.decodeAll().length);
    tokens[4321] = "order_";
    SnowmintException error = Vectors.refused(Code.TEXT_LENGTH, () -> ids.decodeAll(tokens));
    assertTrue(error.getMessage().startsWith("at index 4321: "), error::getMessage);
  }

  @Test
  void manyThreadsAndCollections() throws Exception {
    PublicIds ids = orders();
    ExecutorService threads = Executors.newFixedThreadPool(8);
    try {
      List<Future<Integer>> done = new ArrayList<>();
      for (int thread = 0; thread < 8; thread++) {
        done.add(threads.submit(() -> wrong(ids)));
      }
      for (Future<Integer> wrong : done) {
        assertEquals(0, wrong.get());
      }
    } finally {
      threads.shutdownNow();
    }
  }

  /** Counts the IDs that do not come back, while keys come and go. */
  private static int wrong(PublicIds ids) {
    int wrong = 0;
    for (long id = 0; id < 20_000; id++) {
      // Nothing but the public IDs keeps the native side of these.
      PublicIds own = id % 100 == 0 ? orders() : ids;
      if (own.decode(ids.encode(id)) != id) {
        wrong++;
      }
      if (id % 5_000 == 0) {
        System.gc();
      }
    }
    return wrong;
  }
}
