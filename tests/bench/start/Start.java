/** Makes one ID, by the class that the argument names, so that only that class's library is loaded. */
final class Start {
  private Start() {}

  public static void main(String[] arguments) throws Exception {
    switch (arguments[0]) {
      case "nothing" -> {}
      case "snowmint" -> Snowmint.next();
      case "CosId" -> CosId.next();
      case "UUID" -> Uuid.next();
      default -> throw new IllegalArgumentException(arguments[0]);
    }
  }

  private static final class Snowmint {
    static void next() {
      io.github.snowmint.IdSource.open("snowflake+memory:start").nextId();
    }
  }

  private static final class CosId {
    static void next() {
      new me.ahoo.cosid.snowflake.MillisecondSnowflakeId(1).generate();
    }
  }

  private static final class Uuid {
    static void next() {
      java.util.UUID.randomUUID();
    }
  }
}
