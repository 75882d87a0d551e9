package io.github.snowmint.bench;

import java.util.ArrayList;
import java.util.List;

/** The three ways to print lines. */
final class Report {
  private static final String[] HEADS = {"measured", "figure", "ratio", "of", "target", ""};

  private Report() {}

  /** A table for a terminal, one part a group. */
  static String plain(List<Line> lines) {
    List<String[]> rows = new ArrayList<>();
    rows.add(HEADS);
    lines.forEach(line -> rows.add(line.cells()));
    int[] widths = new int[HEADS.length];
    for (String[] row : rows) {
      for (int column = 0; column < row.length; column++) {
        widths[column] = Math.max(widths[column], row[column].length());
      }
    }
    StringBuilder text = new StringBuilder();
    String group = "";
    for (int at = 0; at < lines.size(); at++) {
      if (!lines.get(at).group().equals(group)) {
        group = lines.get(at).group();
        text.append('\n').append(group).append('\n');
      }
      text.append(padded(rows.get(at + 1), widths)).append('\n');
    }
    return text.toString();
  }

  private static String padded(String[] row, int[] widths) {
    StringBuilder text = new StringBuilder();
    for (int column = 0; column < row.length; column++) {
      String padding = " ".repeat(widths[column] - row[column].length());
      boolean right = column == 1 || column == 2;
      text.append("  ").append(right ? padding + row[column] : row[column] + padding);
    }
    return text.toString().stripTrailing();
  }

  /** A table. */
  static String markdown(List<Line> lines) {
    StringBuilder text = new StringBuilder("| " + String.join(" | ", HEADS) + " |\n");
    text.append("|---|--:|--:|---|---|---|\n");
    for (Line line : lines) {
      text.append("| ").append(String.join(" | ", line.cells())).append(" |\n");
    }
    return text.toString();
  }

  /** One JSON object a line. */
  static String json(List<Line> lines) {
    StringBuilder text = new StringBuilder();
    lines.forEach(line -> text.append(line.json()).append('\n'));
    return text.toString();
  }
}
