package io.github.snowmint;

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
}
