package io.github.snowmint;

/**
 * A row of the segment table.
 *
 * @param tag the tag
 * @param next the first number not yet reserved by anybody
 * @param step how many numbers a range has unless more are asked for
 * @param stride the distance of two numbers
 * @param updatedMs when a range was last taken or the row changed, by the store's clock, Unix
 *     milliseconds
 */
public record TagRow(String tag, long next, long step, long stride, long updatedMs) {}
