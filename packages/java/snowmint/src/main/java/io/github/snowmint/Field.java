package io.github.snowmint;

import java.util.ArrayList;
import java.util.Collections;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;

/**
 * A run of bits in an ID.
 *
 * @param kind what it holds
 * @param bits its width
 * @param shift how many bits lie below it
 */
public record Field(FieldKind kind, int bits, int shift) {
  /**
   * Its value in an ID.
   *
   * @param id any ID
   * @return the value, without a sign
   */
  public long of(long id) {
    return (id >>> shift) & max();
  }

  /**
   * The largest value it holds.
   *
   * @return a value without a sign
   */
  public long max() {
    return -1L >>> (64 - bits);
  }

  /** Of triples: a kind's number, a width, and what lies below. */
  static List<Field> list(long[] numbers) {
    List<Field> fields = new ArrayList<>(numbers.length / 3);
    for (int at = 0; at < numbers.length; at += 3) {
      fields.add(new Field(kind(numbers[at]), (int) numbers[at + 1], (int) numbers[at + 2]));
    }
    return List.copyOf(fields);
  }

  /** Of pairs: a kind's number, and a value. */
  static Map<FieldKind, Long> values(long[] numbers) {
    Map<FieldKind, Long> values = new EnumMap<>(FieldKind.class);
    for (int at = 0; at < numbers.length; at += 2) {
      values.put(kind(numbers[at]), numbers[at + 1]);
    }
    return Collections.unmodifiableMap(values);
  }

  private static FieldKind kind(long number) {
    return FieldKind.values()[(int) number];
  }
}
