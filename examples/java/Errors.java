package shop;

import io.github.snowmint.Code;
import io.github.snowmint.IdSource;
import io.github.snowmint.SnowmintException;

class Errors {
  public static void main(String[] arguments) {
    // --8<-- [start:errors]
    IdSource source = IdSource.open("uuid:?version=7");
    try {
      source.nextId();
    } catch (SnowmintException error) {
      System.out.println(error.code() == Code.UNSUPPORTED); // true
      System.out.println(error.code().label()); // unsupported
    }
    System.out.println(source.nextUuid().version()); // 7
    // --8<-- [end:errors]
  }
}
