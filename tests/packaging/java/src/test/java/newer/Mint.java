package newer;

import io.github.snowmint.IdSource;

/** A program that mints. */
final class Mint {
  private Mint() {}

  public static void main(String[] arguments) {
    try (IdSource source = IdSource.open("uuid:?version=7")) {
      System.out.println("version " + source.nextUuid().version());
    }
  }
}
