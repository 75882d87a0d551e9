package io.github.snowmint.bench;

import java.io.IOException;
import java.util.List;
import org.openjdk.jmh.runner.RunnerException;

/** The jar beside floors and peers. */
public final class Main {
  private static final String NOTE =
      """
      CosId, Hutool, yitter and ShardingSphere are their own artefacts. Meituan publishes none of
      Leaf and Baidu none of its generator: Leaf is com.tencent.devops.leaf:leaf-core, Baidu's is
      com.xfvape.uid:uid-generator, both others' publications of the same source.""";

  private Main() {}

  public static void main(String[] arguments) throws RunnerException, IOException {
    Options options = Options.of(arguments);
    Rounds rounds = new Rounds(options);
    rounds.run();
    List<Line> lines = new Comparison(rounds).lines(options.jar());
    switch (options.form()) {
      case JSON -> System.out.print(Report.json(lines));
      case MARKDOWN -> System.out.print(Report.markdown(lines));
      case PLAIN -> {
        int cores = Runtime.getRuntime().availableProcessors();
        System.out.println("Java " + Runtime.version() + ", " + cores + " cores");
        System.out.print(Report.plain(lines));
        System.out.println("\n" + NOTE);
      }
    }
  }
}
