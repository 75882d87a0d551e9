import io.github.snowmint.IdSource;
import java.io.FileDescriptor;
import java.io.FileOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;

/** Mints from the source of a URL until it is killed: an ID a line. A call that fails ends it. */
class Mint {
  private static final int BLOCK = 64;

  public static void main(String[] arguments) throws IOException {
    FileOutputStream out = new FileOutputStream(FileDescriptor.out);
    try (IdSource source = IdSource.open(arguments[0])) {
      while (true) {
        StringBuilder lines = new StringBuilder();
        for (int at = 0; at < BLOCK; at++) lines.append(source.nextId()).append('\n');
        for (long id : source.nextIds(BLOCK)) lines.append(id).append('\n');
        out.write(lines.toString().getBytes(StandardCharsets.US_ASCII));
      }
    }
  }
}
