package io.github.snowmint;

import java.util.ArrayList;
import java.util.Collections;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;

/**
 * A run of bits in an ID.
 *
 * @param kind the kind of its value
 * @param bits its width
 * @param shift the number of bits below it
 */
public record Field(FieldKind kind, int bits, int shift) {
  /**
   * Returns the field's value in an ID.
   *
   * @param id any ID
   * @return the value, unsigned
   */
  public long of(long id) {
    return (id >>> shift) & max();
  }

  /**
   * Returns the largest value of the field.
   *
   * @return the value, unsigned
   */
  public long max() {
    return -1L >>> (64 - bits);
  }

  /** Returns the fields of triples: a kind's number, a width and a shift. */
  static List<Field> list(long[] numbers) {
    List<Field> fields = new ArrayList<>(numbers.length / 3);
    for (int at = 0; at < numbers.length; at += 3) {
      fields.add(new Field(kind(numbers[at]), (int) numbers[at + 1], (int) numbers[at + 2]));
    }
    return List.copyOf(fields);
  }

  /** Returns the values of pairs: a kind's number and a value. */
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
