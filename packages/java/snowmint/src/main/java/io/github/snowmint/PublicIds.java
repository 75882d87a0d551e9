package io.github.snowmint;

import static io.github.snowmint.internal.Arguments.given;

import io.github.snowmint.internal.Native;
import io.github.snowmint.internal.Reaper;
import java.lang.ref.Reference;
import java.nio.charset.StandardCharsets;
import java.util.UUID;

/**
 * The public IDs of one type. An ID has one, the same each time, as long as the current key stays. A
 * public ID is no permission: whoever was sent one has it.
 *
 * <p>Any number of threads may share it; making and reading a form takes no lock.
 */
public final class PublicIds {
  /** What the longest form takes, and a few bytes more. */
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
   * The type.
   *
   * @return its name
   */
  public String type() {
    return type;
  }

  /**
   * The form.
   *
   * @return the form that {@link #encode(long)} makes
   */
  public PublicIdForm form() {
    return form;
  }

  /**
   * The public form of an ID.
   *
   * @param id 64 bits without a sign
   * @return its one spelling; of numbers alone {@link Code#INVALID_PARAMETER} for an ID of more
   *     bits, and {@link Code#INVALID_KEYS} where several keys could be meant
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
   * The ID of a public form.
   *
   * @param text the public form
   * @return 64 bits without a sign; {@link Code#NOT_FOUND} where no ID has that form, and it is not
   *     told why; of what anybody can see in the text {@link Code#WRONG_TYPE}, {@link
   *     Code#TEXT_LENGTH}, {@link Code#INVALID_TEXT}, {@link Code#TEXT_NOT_CANONICAL}; of numbers
   *     {@link Code#TEXT_OVERFLOW}, and {@link Code#INVALID_KEYS} where several keys could be meant
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
   * The public forms of many IDs.
   *
   * @param ids 64 bits each
   * @return as many texts; the message of an error has the index
   */
  public String[] encodeAll(long... ids) {
    try {
      return Native.encodePublics(handle, given(ids, "ids"));
    } finally {
      Reference.reachabilityFence(this);
    }
  }

  /**
   * The IDs of many public forms.
   *
   * @param texts the public forms
   * @return as many IDs, or the error of the first that is none, with its index
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
   * An ID as a UUID, whatever the form.
   *
   * @param id 64 bits without a sign
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
   * The ID of such a UUID.
   *
   * @param uuid the UUID
   * @return the ID; {@link Code#NOT_FOUND} for any other
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
   * An ID as a number of as many bits, whatever the form.
   *
   * @param id 0 to the largest number of so many bits
   * @param bits 64, 63 or 53
   * @return the number; {@link Code#INVALID_PARAMETER} for an ID of more bits, or other bits, {@link
   *     Code#INVALID_KEYS} where several keys could be meant
   */
  public long encodeNumber(long id, int bits) {
    try {
      return Native.encodeNumber(handle, id, bits);
    } finally {
      Reference.reachabilityFence(this);
    }
  }

  /**
   * The ID of such a number. Each number has one: a made-up number is not told from others.
   *
   * @param number the number
   * @param bits 64, 63 or 53
   * @return the ID; as above
   */
  public long decodeNumber(long number, int bits) {
    try {
      return Native.decodeNumber(handle, number, bits);
    } finally {
      Reference.reachabilityFence(this);
    }
  }
}
