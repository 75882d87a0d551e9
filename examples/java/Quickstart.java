import io.github.snowmint.IdSource;
import io.github.snowmint.Layout;
import io.github.snowmint.Parts;

/** Opens a source, mints an ID and reads it. */
class Quickstart {
  public static void main(String[] arguments) {
    // --8<-- [start:mint]
    try (IdSource flake = IdSource.open("snowflake+sqlite:/tmp/ids.db?create=true")) {
      long id = flake.nextId();
      Parts parts = Layout.TWITTER.decode(id);
      System.out.println(id + " was minted by worker " + parts.workerId() + " at " + parts.time());
    }
    // --8<-- [end:mint]
  }
}
