package io.github.snowmint.bench;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** The lines of the report: what is compared with what, and what it should be. */
final class Comparison {
  private static final String ADD = "AtomicLong.incrementAndGet";
  private static final String ADD_ON_TWO = ADD + ", two threads";
  private static final String FLAKE = "Snowflake.nextId";
  private static final String SEGMENT = "Segment.nextId";
  private static final String SEGMENT_ON_TWO = SEGMENT + ", two threads";
  private static final String TEXT = "native call that returns a text of 33 symbols";
  private static final String TOKEN = "PublicIds.encode";
  private static final String CLOCK = "native call that reads the coarse clock";

  private final Rounds rounds;
  private final List<Line> lines = new ArrayList<>();
  private String group;

  Comparison(Rounds rounds) {
    this.rounds = rounds;
  }

  List<Line> lines(Path jar) throws IOException {
    floors();
    bursts();
    segments();
    blocks();
    sustained();
    others();
    publicIdForms();
    group = "costs";
    add(Line.figure(group, "jar", Files.size(jar) / 1e6, "MB").atMost(8));
    return lines;
  }

  private void floors() {
    group = "floors";
    add(line("native call", "Floors.nativeCall"));
    add(line(CLOCK, "Floors.nativeClock"));
    add(line("System.currentTimeMillis", "Floors.javaClock"));
    add(line(ADD, "Floors.add"));
    add(line(ADD_ON_TWO, "Floors.addOnTwo"));
    add(line("long[].clone", "Floors.copy"));
  }

  private void bursts() {
    group = "an ID, in bursts of " + Bursts.BURST + " that begin with a fresh millisecond";
    add(ratio(FLAKE, burst(Flakes.FIXED), CLOCK, "Floors.nativeClock"));
    add(ratio(FLAKE + ", leased worker ID", burst(Flakes.LEASED), CLOCK, "Floors.nativeClock"));
    for (Flakes peer : Flakes.values()) {
      if (peer.kind != Flakes.Kind.OURS) {
        Line line = ratio(peer.label, burst(peer), FLAKE, burst(Flakes.FIXED));
        add(peer.kind == Flakes.Kind.READS_CLOCK ? line.atLeast(1) : line);
      }
    }
  }

  private static String burst(Flakes flake) {
    return "Bursts.burst " + flake;
  }

  private void segments() {
    group = "a number of a segment";
    add(ratio(SEGMENT, "Segments.snowmint", ADD, "Floors.add"));
    add(ratio("CosId's chain", "Segments.cosid", SEGMENT, "Segments.snowmint").atLeast(1));
    add(ratio("Leaf's segment", "Segments.leaf", SEGMENT, "Segments.snowmint").atLeast(1));
    String two = SEGMENT_ON_TWO;
    String ours = "Segments.snowmintOnTwo";
    add(ratio(two, ours, ADD_ON_TWO, "Floors.addOnTwo"));
    add(ratio("CosId's chain, two threads", "Segments.cosidOnTwo", two, ours).atLeast(1));
    add(ratio("Leaf's segment, two threads", "Segments.leafOnTwo", two, ours).atLeast(1));
  }

  /** The bounds are 1.5 ns on a machine whose addition takes 2.5. */
  private void blocks() {
    group = "an ID, in blocks of " + Bulk.BLOCK;
    add(ratio("Snowflake.fill", "Bulk.flakeFill", ADD, "Floors.add").atMost(0.6));
    add(ratio("Segment.fill", "Bulk.segmentFill", ADD, "Floors.add").atMost(0.6));
    add(ratio("Snowflake.nextIds", "Bulk.flakeNextIds", "long[].clone", "Floors.copy"));
  }

  private void sustained() {
    group = "sustained by one thread, of the layout's 4.096 M/s";
    for (Flakes flake : Sustained.measured()) {
      String name = "Sustained.mint " + flake;
      double perSecond = 1e9 / rounds.median(name);
      Line rate = Line.figure(group, flake.label + ": IDs a second", perSecond / 1e6, "M/s");
      rate = rate.of("the cap", perSecond / Sustained.CAP);
      double cores = rounds.median(name + " share");
      Line share = Line.figure(group, flake.label + ": share of a core", cores, "cores");
      boolean ours = flake == Flakes.FIXED;
      add(ours ? rate.atLeast(0.99) : rate);
      add(ours ? share.atMost(0.25) : share);
    }
  }

  private void others() {
    group = "a UUID";
    add(ratio("UuidSource.nextUuid, version 4", "Uuids.version4", "UUID.randomUUID", "Uuids.java"));
    add(ratio("UuidSource.nextUuid, version 7", "Uuids.version7", "UUID.randomUUID", "Uuids.java"));
    group = "an ID taken apart";
    add(line("Layout.decode", "Decoding.one"));
    add(ratio("Layout.decode of " + Bulk.BLOCK, "Decoding.many", "Layout.decode", "Decoding.one"));
    add(ratio("CosId's parser", "Decoding.cosid", "Layout.decode", "Decoding.one"));
  }

  private void publicIdForms() {
    group = "a public ID";
    add(line(TEXT, "PublicIdForms.floor"));
    add(ratio(TOKEN, "PublicIdForms.token", TEXT, "PublicIdForms.floor").atMost(2));
    add(ratio("PublicIds.decode", "PublicIdForms.read", TEXT, "PublicIdForms.floor").atMost(2));
    add(line("PublicIds.encode, UUID", "PublicIdForms.uuid"));
    add(line("PublicIds.encode, NUMBER63", "PublicIdForms.number"));
    add(ratio("Hashids.encode", "PublicIdForms.hashids", TOKEN, "PublicIdForms.token").atLeast(1));
    add(ratio("Sqids.encode", "PublicIdForms.sqids", TOKEN, "PublicIdForms.token").atLeast(1));
    String random = "UUID.randomUUID, as text";
    add(ratio(random, "PublicIdForms.random", TOKEN, "PublicIdForms.token").atLeast(1));
  }

  private Line line(String what, String name) {
    return Line.figure(group, what, rounds.median(name), "ns");
  }

  private Line ratio(String what, String name, String of, String other) {
    return line(what, name).of(of, rounds.ratio(name, other));
  }

  /** Adds a line, unless its benchmark failed. */
  private void add(Line line) {
    if (Double.isNaN(line.value())) {
      System.err.println(line.what() + ": not measured");
    } else {
      lines.add(line);
    }
  }
}
