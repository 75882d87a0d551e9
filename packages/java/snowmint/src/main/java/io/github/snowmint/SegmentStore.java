package io.github.snowmint;

import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;

/**
 * Reserves ranges of numbers. The ranges of a tag are disjoint and rise; what is returned as
 * reserved is durable.
 *
 * <p>Only {@link #allocate} must be written, so a lambda is a store. It is called from a thread of
 * the source's, one call at a time, and may take its time. What it throws is the cause of a
 * {@link Code#STORE_UNAVAILABLE}, or keeps its own code if it is a {@link SnowmintException}; it is
 * asked again, and the source goes on working. So it does after nonsense: {@code null} and a range
 * that cannot be are {@link Code#INVALID_RANGE}, one of more than {@link Snowmint#MAX_STEP} numbers
 * and a step that cannot be {@link Code#INVALID_ANSWER}. Any doubt whether a range is reserved should be
 * thrown as {@link Code#OUTCOME_UNKNOWN}: a range that nobody uses is a gap, one that two use is a
 * duplicate.
 *
 * <p>A range at or below the last one ends the source that asked ({@link Code#RANGE_REGRESSED}):
 * what it has at hand others may have, too. It cannot see that an operator has raised the tag, nor
 * does the next source on a store of this kind know which numbers this one had. Open it anew, once
 * the store is above all that was ever issued.
 */
@FunctionalInterface
public interface SegmentStore {
  /**
   * Reserves the next numbers of a tag. Near the largest number the range is shorter.
   *
   * @param tag the tag
   * @param count how many; the tag's step if nothing is given
   * @return the range, and the tag's step
   */
  Allocation allocate(String tag, OptionalLong count);

  /**
   * Adds a tag.
   *
   * @param tag 1 to 64 of {@code A-Z a-z 0-9 _ . : -}, or such a tag in a namespace: {@code
   *     shop/orders}
   * @param options its first number, step, stride and largest number
   */
  default void createTag(String tag, TagOptions options) {
    throw new SnowmintException(Code.UNSUPPORTED, "this store cannot create tags");
  }

  /**
   * Adds a tag with the usual options.
   *
   * @param tag 1 to 64 of {@code A-Z a-z 0-9 _ . : -}, or such a tag in a namespace: {@code
   *     shop/orders}
   */
  default void createTag(String tag) {
    createTag(tag, TagOptions.USUAL);
  }

  /**
   * Adds a tag that may be there already, and is then left as it is, with options of its own.
   *
   * @param tag 1 to 64 of {@code A-Z a-z 0-9 _ . : -}, or such a tag in a namespace: {@code
   *     shop/orders}
   * @param options its first number, step, stride and largest number
   * @return whether it was added
   */
  default boolean ensureTag(String tag, TagOptions options) {
    try {
      createTag(tag, options);
      return true;
    } catch (SnowmintException e) {
      if (e.code() == Code.TAG_EXISTS) {
        return false;
      }
      throw e;
    }
  }

  /**
   * Adds a tag with the usual options, where it is not there.
   *
   * @param tag 1 to 64 of {@code A-Z a-z 0-9 _ . : -}, or such a tag in a namespace: {@code
   *     shop/orders}
   * @return whether it was added
   */
  default boolean ensureTag(String tag) {
    return ensureTag(tag, TagOptions.USUAL);
  }

  /**
   * Changes a tag.
   *
   * @param tag the tag
   * @param change its first number not reserved, its step or its largest number
   * @return its row
   */
  default TagRow changeTag(String tag, TagChange change) {
    throw new SnowmintException(Code.UNSUPPORTED, "this store cannot change tags");
  }

  /**
   * Changes a tag's next number or step.
   *
   * @param tag the tag
   * @param next the first number not reserved, which can only be raised, if it is to change
   * @param step the step, if it is to change
   * @return its row
   */
  default TagRow changeTag(String tag, OptionalLong next, OptionalLong step) {
    return changeTag(tag, new TagChange(next, step, OptionalLong.empty()));
  }

  /**
   * The row of a tag. Unless it is written, the store has every tag, with the usual options.
   *
   * @param tag the tag
   * @return its row, if there is one
   */
  default Optional<TagRow> tag(String tag) {
    TagOptions usual = TagOptions.USUAL;
    return Optional.of(
        new TagRow(tag, usual.start(), usual.step(), usual.stride(), 0, usual.max()));
  }

  /**
   * Every row, by tag.
   *
   * @return the rows
   */
  default List<TagRow> tags() {
    throw new SnowmintException(Code.UNSUPPORTED, "this store cannot list its tags");
  }
}
