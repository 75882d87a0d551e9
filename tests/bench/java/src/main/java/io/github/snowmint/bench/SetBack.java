package io.github.snowmint.bench;

import com.tencent.devops.leaf.snowflake.SnowflakeIDGenImpl;
import com.xfvape.uid.impl.DefaultUidGenerator;
import me.ahoo.cosid.snowflake.ClockSyncSnowflakeId;
import me.ahoo.cosid.snowflake.MillisecondSnowflakeId;
import org.apache.curator.test.TestingServer;

/**
 * What peers do when the clock is set back between two IDs: a line for each case. Fails if a peer
 * does not do what docs/compare.md says of it.
 */
public final class SetBack {
  private SetBack() {}

  public static void main(String[] arguments) throws Exception {
    boolean isAsSaid;
    try (var zooKeeper = new TestingServer()) {
      isAsSaid =
          Outcome.WAITS.isThatOf("Leaf", new Leaf(zooKeeper), 5)
              & Outcome.FAILS.isThatOf("Leaf", new Leaf(zooKeeper), 6)
              & Outcome.WAITS.isThatOf("CosId", new CosId(), 400)
              & Outcome.FAILS.isThatOf("CosId", new CosId(), 5000)
              & Outcome.FAILS.isThatOf("DefaultUidGenerator", new Baidu(), 5000);
    }
    // Leaf's threads do not end.
    System.exit(isAsSaid ? 0 : 1);
  }

  private enum Outcome {
    WAITS,
    FAILS;

    boolean isThatOf(String name, Peer peer, long byMs) throws Exception {
      long before = peer.mint();
      peer.setBack(byMs);
      Outcome outcome;
      try {
        outcome = peer.mint() > before ? WAITS : null;
      } catch (RuntimeException error) {
        outcome = FAILS;
      }
      System.out.println(name + ", set back by " + byMs + " ms: " + outcome);
      return outcome == this;
    }
  }

  private interface Peer {
    long mint() throws Exception;

    /** Puts the next reading of the clock behind the last ID. */
    void setBack(long byMs);
  }

  private static final class Leaf extends SnowflakeIDGenImpl implements Peer {
    private long readMs;
    private long nextMs;

    Leaf(TestingServer zooKeeper) {
      super(zooKeeper.getConnectString(), zooKeeper.getPort());
    }

    @Override
    protected long timeGen() {
      readMs = nextMs == 0 ? super.timeGen() : nextMs;
      nextMs = 0;
      return readMs;
    }

    @Override
    public long mint() {
      return Segments.Leaf.id(get("orders"));
    }

    @Override
    public void setBack(long byMs) {
      nextMs = readMs - byMs;
    }
  }

  private static final class CosId implements Peer {
    private final Plain plain = new Plain();
    private final ClockSyncSnowflakeId waiting = new ClockSyncSnowflakeId(plain);

    @Override
    public long mint() {
      return waiting.generate();
    }

    @Override
    public void setBack(long byMs) {
      plain.setBack(byMs);
    }

    private static final class Plain extends MillisecondSnowflakeId {
      Plain() {
        super(1);
      }

      void setBack(long byMs) {
        lastTimestamp = getCurrentTime() + byMs;
      }
    }
  }

  private static final class Baidu extends DefaultUidGenerator implements Peer {
    Baidu() throws Exception {
      // The usual 28 bits of seconds ended in 2024.
      setTimeBits(31);
      setSeqBits(10);
      setWorkerIdAssigner(() -> 1);
      afterPropertiesSet();
    }

    @Override
    public long mint() {
      return getUID();
    }

    @Override
    public void setBack(long byMs) {
      lastSecond += byMs / 1000;
    }
  }
}
