package io.github.snowmint;

import static io.github.snowmint.internal.Arguments.given;

import io.github.snowmint.internal.Native;
import io.github.snowmint.internal.Reaper;
import java.lang.ref.Reference;
import java.nio.charset.StandardCharsets;
import java.util.UUID;

/**
 * The public IDs of one type. An ID has the same public ID as long as the current key stays. A
 * public ID is no permission: anyone can forward it.
 *
 * <p>Any number of threads may share it. Encoding and decoding take no lock.
 */
public final class PublicIds {
  /** The size of a buffer for the longest form, with a few bytes to spare. */
  private static final int ROOM = 64;

  private final long handle;
  private final String type;
  private final PublicIdForm form;

  PublicIds(long handle, String type, PublicIdForm form) {
    this.handle = handle;
    this.type = type;
    this.form = form;
    Reaper.watch(this, handle, Native::freePublicIds);
  }

  /**
   * Returns the type.
   *
   * @return its name
   */
  public String type() {
    return type;
  }

  /**
   * Returns the form.
   *
   * @return the form that {@link #encode(long)} makes
   */
  public PublicIdForm form() {
    return form;
  }

  /**
   * Returns the public form of an ID.
   *
   * @param id the ID, an unsigned number of 64 bits
   * @return its only spelling
   * @throws SnowmintException for numbers only: {@link Code#INVALID_PARAMETER} if the ID has more
   *     bits, or {@link Code#INVALID_KEYS} if several keys are possible
   */
  public String encode(long id) {
    byte[] room = new byte[ROOM];
    try {
      int length = Native.tryEncode(handle, id, room);
      return length == 0
          ? Native.encodePublic(handle, id)
          : new String(room, 0, length, StandardCharsets.ISO_8859_1);
    } finally {
      Reference.reachabilityFence(this);
    }
  }

  /**
   * Returns the ID of a public form.
   *
   * @param text the public form
   * @return the ID, an unsigned number of 64 bits
   * @throws SnowmintException {@link Code#NOT_FOUND}, without a reason, if no ID has that form.
   *     Errors that are visible in the text are {@link Code#WRONG_TYPE}, {@link Code#TEXT_LENGTH},
   *     {@link Code#INVALID_TEXT} and {@link Code#TEXT_NOT_CANONICAL}. For numbers, also
   *     {@link Code#TEXT_OVERFLOW}, and {@link Code#INVALID_KEYS} if several keys are possible.
   */
  public long decode(String text) {
    try {
      long id = Native.tryDecode(handle, given(text, "text"));
      return id == Native.NONE ? Native.decodePublic(handle, text) : id;
    } finally {
      Reference.reachabilityFence(this);
    }
  }

  /**
   * Returns the public forms of many IDs.
   *
   * @param ids unsigned numbers of 64 bits
   * @return as many texts
   * @throws SnowmintException the error of the first ID that has no form, with its index
   */
  public String[] encodeAll(long... ids) {
    try {
      return Native.encodePublics(handle, given(ids, "ids"));
    } finally {
      Reference.reachabilityFence(this);
    }
  }

  /**
   * Returns the IDs of many public forms.
   *
   * @param texts the public forms
   * @return as many IDs
   * @throws SnowmintException the error of the first text that is not a public ID, with its index
   */
  public long[] decodeAll(String... texts) {
    String[] present = given(texts, "texts").clone();
    for (String text : present) {
      given(text, "a text");
    }
    try {
      return Native.decodePublics(handle, present);
    } finally {
      Reference.reachabilityFence(this);
    }
  }

  /**
   * Returns an ID as a UUID, whatever the form.
   *
   * @param id the ID, an unsigned number of 64 bits
   * @return a UUID of version 8
   */
  public UUID encodeUuid(long id) {
    long[] halves = new long[2];
    try {
      Native.encodeUuid(handle, id, halves);
      return new UUID(halves[0], halves[1]);
    } finally {
      Reference.reachabilityFence(this);
    }
  }

  /**
   * Returns the ID of a UUID from {@link #encodeUuid}.
   *
   * @param uuid the UUID
   * @return the ID
   * @throws SnowmintException {@link Code#NOT_FOUND} for any other UUID
   */
  public long decodeUuid(UUID uuid) {
    long high = given(uuid, "uuid").getMostSignificantBits();
    try {
      return Native.decodeUuid(handle, high, uuid.getLeastSignificantBits());
    } finally {
      Reference.reachabilityFence(this);
    }
  }

  /**
   * Returns an ID as a number with a width in bits, whatever the form.
   *
   * @param id 0 to the largest number of that width
   * @param bits 64, 63 or 53
   * @return the number
   * @throws SnowmintException {@link Code#INVALID_PARAMETER} for another width or an ID of more
   *     bits, or {@link Code#INVALID_KEYS} if several keys are possible
   */
  public long encodeNumber(long id, int bits) {
    try {
      return Native.encodeNumber(handle, id, bits);
    } finally {
      Reference.reachabilityFence(this);
    }
  }

  /**
   * Returns the ID of a number from {@link #encodeNumber}. Each number has an ID, so an invented
   * number is not refused.
   *
   * @param number the number
   * @param bits 64, 63 or 53
   * @return the ID
   * @throws SnowmintException the codes of {@link #encodeNumber}
   */
  public long decodeNumber(long number, int bits) {
    try {
      return Native.decodeNumber(handle, number, bits);
    } finally {
      Reference.reachabilityFence(this);
    }
  }
}
