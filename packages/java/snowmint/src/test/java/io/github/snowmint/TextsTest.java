package io.github.snowmint;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.LongSupplier;
import org.junit.jupiter.api.Test;

class TextsTest {
  private static final JsonNode TEXTS = Vectors.document("texts.json");

  @Test
  void forms() {
    JsonNode rows = Vectors.list(TEXTS, "forms");
    assertEquals(rows.size(), TextForm.values().length);
    for (TextForm form : TextForm.values()) {
      JsonNode row = rows.get(form.ordinal());
      assertEquals(Vectors.text(row, "form"), form.label());
      assertEquals(Vectors.text(row, "alphabet"), form.alphabet());
      assertEquals(row.get("width").asInt(0), form.width().orElse(0));
      assertEquals(row.get("sortable").booleanValue(), form.width().isPresent());
      assertEquals(form, TextForm.named(form.label()));
    }
    SnowmintException unknown =
        Vectors.refused(Code.UNKNOWN_TEXT_FORM, () -> TextForm.named("base64"));
    assertEquals(
        "no text form is called \"base64\"; there are dec, hex, base32, base32-check, z-base32,"
            + " base36, base58, base58-flickr, base62",
        unknown.getMessage());
  }

  @Test
  void texts() {
    for (JsonNode row : Vectors.list(TEXTS, "texts")) {
      long id = Vectors.wide(row, "id");
      for (Map.Entry<String, JsonNode> entry : row.get("texts").properties()) {
        TextForm form = TextForm.named(entry.getKey());
        String text = entry.getValue().textValue();
        assertEquals(text, form.format(id));
        assertEquals(id, form.parse(text));
      }
    }
  }

  @Test
  void otherSpellings() {
    for (JsonNode row : Vectors.list(TEXTS, "others")) {
      TextForm form = TextForm.named(Vectors.text(row, "form"));
      String text = Vectors.text(row, "text");
      assertEquals(Vectors.wide(row, "id"), form.parse(text));
      assertNotEquals(text, form.format(Vectors.wide(row, "id")));
    }
  }

  @Test
  void invalid() {
    for (JsonNode row : Vectors.list(TEXTS, "invalid")) {
      TextForm form = TextForm.named(Vectors.text(row, "form"));
      Vectors.judge(row, () -> form.parse(Vectors.text(row, "text")));
    }
  }

  @Test
  void detection() {
    for (JsonNode row : Vectors.list(TEXTS, "detect")) {
      Optional<String> form = TextForm.detect(Vectors.text(row, "text")).map(TextForm::label);
      assertEquals(Optional.ofNullable(Vectors.optional(row, "form")), form);
    }
    assertEquals(42, TextForm.parseAny("42"));
    Vectors.refused(Code.UNKNOWN_TEXT_FORM, () -> TextForm.parseAny("?"));
  }

  @Test
  void whatIsWrongWithAText() {
    int advised = 0;
    for (JsonNode row : Vectors.list(Vectors.document("readings.json"), "readings")) {
      if (!row.has("advice")) {
        continue;
      }
      JsonNode advice = row.get("advice");
      String message = advice.isBoolean() ? Vectors.text(row, "sentence") : advice.textValue();
      String text = Vectors.text(row, "text");
      for (LongSupplier call :
          List.<LongSupplier>of(
              () -> TextForm.parseAny(text), () -> TextForm.DECIMAL.parse(text))) {
        SnowmintException refused = assertThrows(SnowmintException.class, call::getAsLong, text);
        assertEquals(message, refused.getMessage());
      }
      advised++;
    }
    assertTrue(advised > 30);
  }
}
