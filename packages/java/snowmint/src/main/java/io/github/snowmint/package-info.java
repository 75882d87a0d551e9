/**
 * Unique 64-bit IDs, minted anywhere.
 *
 * <p><strong>Nothing is issued that was not reserved before, durably, in one place.</strong> A
 * {@link io.github.snowmint.Snowflake} issues the time its worker ID has reserved, and a
 * {@link io.github.snowmint.Segment} issues the numbers its tag has reserved. So pauses, crashes,
 * lost messages and clock steps cannot repeat an ID. The clock only decides how accurate an ID's
 * time is.
 *
 * <p>IDs are {@code long}s of 64 bits without a sign. If a layout uses the top bit, print and
 * compare them by {@link java.lang.Long#toUnsignedString(long)} and
 * {@link java.lang.Long#compareUnsigned(long, long)}.
 *
 * <p>Every failure is a {@link io.github.snowmint.SnowmintException} with a code, {@code null}
 * arguments included.
 */
@NullMarked
package io.github.snowmint;

import org.jspecify.annotations.NullMarked;
