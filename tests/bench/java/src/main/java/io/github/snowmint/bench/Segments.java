package io.github.snowmint.bench;

import com.tencent.devops.leaf.common.Result;
import com.tencent.devops.leaf.common.Status;
import com.tencent.devops.leaf.segment.SegmentIDGenImpl;
import com.tencent.devops.leaf.segment.dao.IDAllocDao;
import com.tencent.devops.leaf.segment.model.LeafAlloc;
import io.github.snowmint.Segment;
import io.github.snowmint.Store;
import io.github.snowmint.TagOptions;
import java.util.List;
import me.ahoo.cosid.segment.IdSegmentDistributor;
import me.ahoo.cosid.segment.SegmentChainId;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.TearDown;
import org.openjdk.jmh.annotations.Threads;

/** Numbers of ranges from memory, of a million each: what is measured is not a database. */
public class Segments {
  private static final int STEP = 1_000_000;

  @State(Scope.Benchmark)
  public static class Snowmint {
    private final Segment segment = open();

    private static Segment open() {
      Store store = Store.open("memory:");
      store.createTag("orders", TagOptions.USUAL.withStep(STEP));
      return Segment.builder(store, "orders").step(STEP).open();
    }

    @TearDown
    public void close() {
      segment.close();
    }
  }

  @State(Scope.Benchmark)
  public static class CosId {
    private final SegmentChainId chain = new SegmentChainId(new IdSegmentDistributor.Atomic(STEP));
  }

  @State(Scope.Benchmark)
  public static class Leaf {
    private final SegmentIDGenImpl generator = new SegmentIDGenImpl();

    public Leaf() {
      generator.setDao(new Rows());
      generator.init();
    }

    /** The ID, or what is returned in place of one as an error. */
    static long id(Result result) {
      if (result.getStatus() != Status.SUCCESS) {
        throw new IllegalStateException("Leaf's error " + result.getId());
      }
      return result.getId();
    }
  }

  /** Leaf's table with one row. */
  private static final class Rows implements IDAllocDao {
    private long maxId = 1;

    @Override
    public synchronized LeafAlloc updateMaxIdAndGetLeafAlloc(String tag) {
      maxId += STEP;
      LeafAlloc row = new LeafAlloc();
      row.setKey(tag);
      row.setMaxId(maxId);
      row.setStep(STEP);
      return row;
    }

    @Override
    public LeafAlloc updateMaxIdByCustomStepAndGetLeafAlloc(LeafAlloc wanted) {
      return updateMaxIdAndGetLeafAlloc(wanted.getKey());
    }

    @Override
    public List<LeafAlloc> getAllLeafAllocs() {
      return List.of();
    }

    @Override
    public List<String> getAllTags() {
      return List.of("orders");
    }
  }

  @Benchmark
  public long snowmint(Snowmint snowmint) {
    return snowmint.segment.nextId();
  }

  @Benchmark
  public long cosid(CosId cosid) {
    return cosid.chain.generate();
  }

  @Benchmark
  public long leaf(Leaf leaf) {
    return Leaf.id(leaf.generator.get("orders"));
  }

  @Benchmark
  @Threads(2)
  public long snowmintOnTwo(Snowmint snowmint) {
    return snowmint.segment.nextId();
  }

  @Benchmark
  @Threads(2)
  public long cosidOnTwo(CosId cosid) {
    return cosid.chain.generate();
  }

  @Benchmark
  @Threads(2)
  public long leafOnTwo(Leaf leaf) {
    return Leaf.id(leaf.generator.get("orders"));
  }
}
