package io.github.snowmint.hibernate;

import static org.junit.jupiter.api.Assertions.assertEquals;

import com.fasterxml.jackson.annotation.JsonProperty;
import com.fasterxml.jackson.databind.ObjectMapper;
import jakarta.persistence.Id;
import java.io.ByteArrayOutputStream;
import java.io.File;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.stream.Collectors;
import javax.tools.ToolProvider;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.json.JsonMapper;

/** Identifiers that JavaScript would round leave as strings. Other numbers stay as they are. */
class JsonTest {
  private static final String JSON =
      "{\"id\":\"1541815603606036480\",\"other\":\"7\",\"number\":8,\"plain\":9}";

  static class Row {
    @Id @SnowmintSnowflake @JsonProperty long id = 1541815603606036480L;

    @Id
    @SnowmintId(url = "snowflake:?worker_id=7")
    @JsonProperty
    Long other = 7L;

    @Id
    @SnowmintSegment(tag = "rows")
    @JsonProperty
    Long number = 8L;

    @JsonProperty long plain = 9;
  }

  @Test
  void withEachJackson() throws Exception {
    ObjectMapper older = new ObjectMapper();
    JsonMapper newer = JsonMapper.builder().build();
    assertEquals(older.readTree(JSON), older.readTree(older.writeValueAsString(new Row())));
    assertEquals(newer.readTree(JSON), newer.readTree(newer.writeValueAsString(new Row())));
    String changed = JSON.replace("1541815603606036480", "11");
    assertEquals(11, older.readValue(changed, Row.class).id);
    assertEquals(11, newer.readValue(changed, Row.class).id);
  }

  /** The annotations name classes of Jackson, which an application may lack. */
  @Test
  void withoutJacksonNothingIsMissing(@TempDir Path directory) throws Exception {
    Path file =
        Files.writeString(
            directory.resolve("Plain.java"),
            """
            import io.github.snowmint.hibernate.*;

            class Plain {
              @SnowmintSnowflake Long id;

              @SnowmintId(url = "uuid:")
              java.util.UUID token;
            }
            """);
    String classes =
        Arrays.stream(System.getProperty("java.class.path").split(File.pathSeparator))
            .filter(entry -> !entry.contains("jackson"))
            .collect(Collectors.joining(File.pathSeparator));
    ByteArrayOutputStream said = new ByteArrayOutputStream();
    int compiled =
        ToolProvider.getSystemJavaCompiler()
            .run(
                null,
                said,
                said,
                "-Xlint:all,-path",
                "-Werror",
                "-cp",
                classes,
                "-d",
                directory.toString(),
                file.toString());
    assertEquals(0, compiled, said::toString);
  }
}
