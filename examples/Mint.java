import io.github.snowmint.IdSource;
import io.github.snowmint.Layout;
import io.github.snowmint.Parts;

/** Mints an ID with a worker ID leased from ids.db, and decodes the one that is given. */
class Mint {
  public static void main(String[] arguments) {
    if (arguments.length != 1) {
      System.err.println("usage: java -cp snowmint.jar Mint.java ID");
      System.exit(2);
    }
    try (IdSource flake = IdSource.open("snowflake+sqlite:ids.db?create=true")) {
      System.out.println("minted " + flake.nextId());
    }
    Parts parts = Layout.BWMARRIN.decode(Long.parseLong(arguments[0]));
    System.out.println("decoded " + parts.time() + " " + parts.workerId() + " " + parts.sequence());
  }
}
