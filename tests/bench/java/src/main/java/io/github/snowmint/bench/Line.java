package io.github.snowmint.bench;

import java.util.Locale;

/**
 * One figure, what it is compared with, and what it should be: {@link Double#NaN} for a ratio or
 * bound that there is not.
 */
record Line(
    String group,
    String what,
    double value,
    String unit,
    String of,
    double ratio,
    double atMost,
    double atLeast) {

  static Line figure(String group, String what, double value, String unit) {
    return new Line(group, what, value, unit, "", Double.NaN, Double.NaN, Double.NaN);
  }

  Line of(String other, double times) {
    return new Line(group, what, value, unit, other, times, atMost, atLeast);
  }

  Line atMost(double bound) {
    return new Line(group, what, value, unit, of, ratio, bound, atLeast);
  }

  Line atLeast(double bound) {
    return new Line(group, what, value, unit, of, ratio, atMost, bound);
  }

  boolean hasTarget() {
    return !Double.isNaN(atMost) || !Double.isNaN(atLeast);
  }

  boolean isMet() {
    double judged = Double.isNaN(ratio) ? value : ratio;
    return Double.isNaN(atMost) ? judged >= atLeast : judged <= atMost;
  }

  String[] cells() {
    String judged = Double.isNaN(ratio) ? unit : "×";
    String target = "";
    if (!Double.isNaN(atMost)) {
      target = "≤ " + digits(atMost) + " " + judged;
    } else if (!Double.isNaN(atLeast)) {
      target = "≥ " + digits(atLeast) + " " + judged;
    }
    return new String[] {
      what,
      digits(value) + " " + unit,
      Double.isNaN(ratio) ? "" : String.format(Locale.ROOT, "%.2f ×", ratio),
      of,
      target,
      !hasTarget() ? "" : isMet() ? "ok" : "MISSED"
    };
  }

  String json() {
    return String.format(
        Locale.ROOT,
        "{\"group\":\"%s\",\"measured\":\"%s\",\"value\":%s,\"unit\":\"%s\",\"of\":%s,\"ratio\":%s,"
            + "\"at_most\":%s,\"at_least\":%s,\"ok\":%s}",
        group,
        what,
        value,
        unit,
        of.isEmpty() ? "null" : "\"" + of + "\"",
        number(ratio),
        number(atMost),
        number(atLeast),
        hasTarget() ? isMet() : "null");
  }

  private static String number(double value) {
    return Double.isNaN(value) ? "null" : Double.toString(value);
  }

  /** Three digits or so. */
  private static String digits(double value) {
    double size = Math.abs(value);
    String form = size >= 100 ? "%.0f" : size >= 10 || value == Math.rint(value) ? "%.1f" : "%.2f";
    return String.format(Locale.ROOT, form, value);
  }
}
