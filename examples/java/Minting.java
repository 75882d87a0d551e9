package shop;

import io.github.snowmint.Snowflake;
import java.time.Duration;

class Minting {
  public static void main(String[] arguments) {
    // --8<-- [start:minting]
    try (Snowflake flake =
        Snowflake.builder().workerId(7).maxWait(Duration.ofSeconds(1)).open()) {
      long id = flake.nextId();
      long[] ids = new long[1000];
      flake.fill(ids);
      long later = flake.stream().limit(10).filter(next -> next > ids[999]).count();
      System.out.println(ids[0] > id); // true
      System.out.println(later); // 10
    }
    // --8<-- [end:minting]
  }
}
