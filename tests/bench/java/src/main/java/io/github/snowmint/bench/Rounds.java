package io.github.snowmint.bench;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.infra.BenchmarkParams;
import org.openjdk.jmh.results.Result;
import org.openjdk.jmh.results.RunResult;
import org.openjdk.jmh.runner.Runner;
import org.openjdk.jmh.runner.RunnerException;
import org.openjdk.jmh.runner.options.OptionsBuilder;
import org.openjdk.jmh.runner.options.TimeValue;
import org.openjdk.jmh.runner.options.VerboseMode;

/**
 * Rounds in which every benchmark runs once, each time in a Java of its own: what disturbs the
 * machine disturbs all of them, and ratios are taken within a round.
 */
final class Rounds {
  private static final int MEASUREMENTS = 5;

  private final int rounds;
  private final boolean quick;
  private final Path floor;
  private final Map<String, double[]> figures = new HashMap<>();

  Rounds(Options options) {
    rounds = options.rounds();
    quick = options.quick();
    floor = options.floor();
  }

  void run() throws RunnerException {
    for (int round = 0; round < rounds; round++) {
      run(round, List.of(Floors.class, Bursts.class, Segments.class), 300, 60);
      run(round, List.of(Bulk.class, Uuids.class, Decoding.class, PublicIdForms.class), 300, 60);
      run(round, List.of(Sustained.class), 300, 160);
    }
  }

  private void run(int round, List<Class<?>> benchmarks, long warmMs, long measureMs)
      throws RunnerException {
    var options =
        new OptionsBuilder()
            .mode(Mode.AverageTime)
            .timeUnit(TimeUnit.NANOSECONDS)
            .forks(1)
            .warmupForks(0)
            .warmupIterations(1)
            .warmupTime(TimeValue.milliseconds(quick ? warmMs / 4 : warmMs))
            .measurementIterations(MEASUREMENTS)
            .measurementTime(TimeValue.milliseconds(quick ? measureMs / 4 : measureMs))
            .verbosity(VerboseMode.SILENT)
            .jvmArgsAppend(arguments());
    benchmarks.forEach(type -> options.include("\\." + type.getSimpleName() + "\\."));
    for (RunResult result : new Runner(options.build()).run()) {
      String name = name(result.getParams());
      // The median: whatever stopped the process for a while is not the benchmark.
      keep(round, name, result.getPrimaryResult().getStatistics().getPercentile(50));
      Result<?> cpu = result.getSecondaryResults().get("cpuNs");
      Result<?> wall = result.getSecondaryResults().get("wallNs");
      if (cpu != null && wall != null) {
        keep(round, name + " share", cpu.getScore() / wall.getScore());
      }
    }
  }

  private String[] arguments() {
    return new String[] {
      "-D" + Floors.LIBRARY + "=" + floor,
      // Some peers leave threads behind that would be waited for.
      "-Djmh.shutdownTimeout=0",
      // The test server of the ZooKeeper for Leaf rewrites classes.
      "--add-opens=java.base/java.lang=ALL-UNNAMED",
      // The first touch of a page is the system's time, and falls on whoever allocates first.
      "-Xms64m",
      "-Xmx64m",
      "-XX:+AlwaysPreTouch"
    };
  }

  /** The class and method of a benchmark, and the generator that it runs with. */
  private static String name(BenchmarkParams params) {
    String path = params.getBenchmark();
    String name = path.substring(path.lastIndexOf('.', path.lastIndexOf('.') - 1) + 1);
    return params.getParamsKeys().contains("flake") ? name + " " + params.getParam("flake") : name;
  }

  private void keep(int round, String name, double figure) {
    figures.computeIfAbsent(name, absent -> nothing())[round] = figure;
  }

  private double[] nothing() {
    double[] values = new double[rounds];
    Arrays.fill(values, Double.NaN);
    return values;
  }

  /** The median of a benchmark. */
  double median(String name) {
    return median(figures.getOrDefault(name, nothing()));
  }

  /** The median over the rounds of one by the other. */
  double ratio(String name, String other) {
    double[] mine = figures.getOrDefault(name, nothing());
    double[] others = figures.getOrDefault(other, nothing());
    double[] ratios = new double[rounds];
    Arrays.setAll(ratios, round -> mine[round] / others[round]);
    return median(ratios);
  }

  private static double median(double[] values) {
    List<Double> sorted = new ArrayList<>();
    Arrays.stream(values).filter(value -> !Double.isNaN(value)).sorted().forEach(sorted::add);
    return sorted.isEmpty() ? Double.NaN : sorted.get(sorted.size() / 2);
  }
}
