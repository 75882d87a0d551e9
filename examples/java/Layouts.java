package shop;

import io.github.snowmint.Guess;
import io.github.snowmint.Layout;
import io.github.snowmint.Parts;
import io.github.snowmint.TextForm;
import java.time.Duration;
import java.time.Instant;

class Layouts {
  public static void main(String[] arguments) {
    // --8<-- [start:decode]
    Parts parts = Layout.DISCORD.decode(175928847299117063L);
    System.out.println(parts.time()); // 2016-04-30T11:18:25.796Z
    System.out.println(parts.workerId()); // 32
    System.out.println(Layout.DISCORD.workerParts(32)); // {WORKER=1, PROCESS=0}
    // --8<-- [end:decode]
    // --8<-- [start:guess]
    System.out.println(Guess.of(1541815603606036480L).get(0).preset().name()); // twitter
    System.out.println(Guess.beside(175928847299117063L, "guild_id").get(0).named()); // true
    System.out.println(Guess.of(1427970479175499776L).get(0).doubt()); // Optional[AMBIGUOUS]
    // --8<-- [end:guess]
    // --8<-- [start:text]
    System.out.println(TextForm.BASE32.format(7)); // 0000000000007
    System.out.println(TextForm.BASE58.parse(TextForm.BASE58.format(7))); // 7
    // --8<-- [end:text]
    // --8<-- [start:own]
    Instant epoch = Instant.parse("2026-01-01T00:00:00Z");
    Layout own = Layout.of("time:39,worker:12,sequence:12", epoch, Duration.ofMillis(10));
    long first = own.minId(epoch.plusSeconds(60));
    System.out.println(own.decode(first).time()); // 2026-01-01T00:01:00Z
    // --8<-- [end:own]
  }
}
