package shop;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.snowmint.Snowmint;
import java.io.ByteArrayOutputStream;
import java.io.File;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import kotlin.Unit;
import org.jetbrains.kotlin.cli.common.ExitCode;
import org.jetbrains.kotlin.cli.jvm.K2JVMCompiler;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Kotlin knows what may be null, with no other jar than ours. */
class KotlinTest {
  @TempDir Path directory;

  private ExitCode compile(String program, ByteArrayOutputStream said) throws Exception {
    Path file = Files.writeString(directory.resolve("Example.kt"), program);
    String jars =
        Stream.of(Snowmint.class, Unit.class)
            .map(type -> type.getProtectionDomain().getCodeSource().getLocation().getPath())
            .collect(Collectors.joining(File.pathSeparator));
    String into = directory.toString();
    String[] arguments = {
      "-no-stdlib", "-no-reflect", "-Werror", "-cp", jars, "-d", into, file.toString()
    };
    PrintStream out = new PrintStream(said, true, StandardCharsets.UTF_8);
    return new K2JVMCompiler().exec(out, arguments);
  }

  @Test
  void whatMayBeNullMay() throws Exception {
    ByteArrayOutputStream said = new ByteArrayOutputStream();
    String program =
        """
        import io.github.snowmint.*

        fun main() {
          val source: IdSource = IdSource.open("uuid:?version=7")
          source.use { println(it.nextUuid().version()) }
          println(SnowmintException(Code.CLOSED, "closed", null).code().label())
        }
        """;
    assertEquals(ExitCode.OK, compile(program, said), said::toString);
  }

  @Test
  void whatMayNotBeNullMayNot() throws Exception {
    ByteArrayOutputStream said = new ByteArrayOutputStream();
    String program = "fun main() { io.github.snowmint.IdSource.open(null) }\n";
    assertEquals(ExitCode.COMPILATION_ERROR, compile(program, said), said::toString);
    assertTrue(said.toString(StandardCharsets.UTF_8).contains("non-null type"), said::toString);
  }
}
