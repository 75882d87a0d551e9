package shop;

import io.github.snowmint.IdSource;

class Lazy {
  // --8<-- [start:lazy]
  static final IdSource IDS = IdSource.lazy("snowflake+sqlite:ids.db?create=true");

  public static void main(String[] arguments) {
    IDS.check(); // opens it now, for example when a server starts
    long id = IDS.nextId();
    System.out.println(id);
    IDS.close();
  }
  // --8<-- [end:lazy]
}
