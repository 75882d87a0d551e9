package shop;

// --8<-- [start:imports]
import io.github.snowmint.Layout;
import io.github.snowmint.SequenceStart;
import io.github.snowmint.engine.Lane;
import io.github.snowmint.engine.Snowflake;

// --8<-- [end:imports]

class Machine {
  public static void main(String[] arguments) {
    // --8<-- [start:machine]
    Snowflake machine = new Snowflake(Layout.TWITTER, Lane.of(378), 0, SequenceStart.ZERO);
    System.out.println(machine.nextId(1_656_432_460_105L)); // 1541815603606036480
    // --8<-- [end:machine]
  }
}
