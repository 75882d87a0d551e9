package io.github.snowmint;

import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;

/**
 * Reserves ranges of numbers. The ranges of a tag are disjoint and rise. A range is returned only
 * once its reservation is durable.
 *
 * <p>Only {@link #allocate} must be written, so a lambda is a store. A thread of the source calls
 * it, one call at a time, and it may take its time. If it throws a {@link SnowmintException}, the
 * source reports that error's code. Any other exception becomes the cause of a
 * {@link Code#STORE_UNAVAILABLE}. The source goes on working, and asks again.
 *
 * <p>It does so after an impossible answer too. {@code null} and an impossible range are
 * {@link Code#INVALID_RANGE}. A range of more than {@link Snowmint#MAX_STEP} numbers and an
 * impossible step are {@link Code#INVALID_ANSWER}. If it is in doubt whether a range is reserved,
 * throw {@link Code#OUTCOME_UNKNOWN}: an unused range is a gap, but a range with two users is a
 * duplicate.
 *
 * <p>A range at or below the last one ends the source that asked ({@link Code#RANGE_REGRESSED}),
 * because others may have the numbers it has at hand. The source cannot see that an operator has
 * raised the tag. Nor does the next source on such a store know which numbers this source had. Open
 * it again once the store is above all numbers that were ever issued.
 */
@FunctionalInterface
public interface SegmentStore {
  /**
   * Reserves the next numbers of a tag. Near the largest number the range is shorter.
   *
   * @param tag the tag
   * @param count the requested count, or nothing for the tag's step
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
   * Adds a tag, unless it exists. An existing tag keeps its own options.
   *
   * @param tag 1 to 64 of {@code A-Z a-z 0-9 _ . : -}, or such a tag in a namespace: {@code
   *     shop/orders}
   * @param options its first number, step, stride and largest number
   * @return true if it was added
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
   * Adds a tag with the usual options, unless it exists.
   *
   * @param tag 1 to 64 of {@code A-Z a-z 0-9 _ . : -}, or such a tag in a namespace: {@code
   *     shop/orders}
   * @return true if it was added
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
   * @param next the first number not reserved, which can only be raised; nothing to keep it
   * @param step the step; nothing to keep it
   * @return its row
   */
  default TagRow changeTag(String tag, OptionalLong next, OptionalLong step) {
    return changeTag(tag, new TagChange(next, step, OptionalLong.empty()));
  }

  /**
   * Returns the row of a tag. By default the store has every tag, with the usual options.
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
   * Returns every row, by tag.
   *
   * @return the rows
   */
  default List<TagRow> tags() {
    throw new SnowmintException(Code.UNSUPPORTED, "this store cannot list its tags");
  }
}
