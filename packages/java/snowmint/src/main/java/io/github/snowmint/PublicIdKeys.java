package io.github.snowmint;

import static io.github.snowmint.internal.Arguments.given;

import io.github.snowmint.internal.Arguments;
import io.github.snowmint.internal.Native;
import io.github.snowmint.internal.Reaper;
import java.lang.ref.Reference;
import java.util.List;
import java.util.Optional;

/**
 * Keys that IDs are made public by. Nothing is stored: whoever has the keys computes an ID from its
 * public form, and to everybody else that is as good as random.
 *
 * <p>Keys do not change once opened, and any number of threads may share them. They are native
 * memory, zeroed once this object cannot be reached, so there is nothing to close.
 *
 * <pre>{@code
 * PublicIds orders = PublicIdKeys.open("keys.toml").publicIds("order");
 * String token = orders.encode(id);   // order_1…: 26 symbols after the key's
 * long again = orders.decode(token);
 * }</pre>
 */
public final class PublicIdKeys {
  private final long handle;
  private final String[] facts;

  private PublicIdKeys(long handle) {
    this.handle = handle;
    Reaper.watch(this, handle, Native::freePublicIdKeys);
    facts = Native.publicIdKeysFacts(handle);
  }

  /**
   * Reads keys from a file, by its path, or from an environment variable, by {@code env:NAME};
   * {@code env:} alone is {@code SNOWMINT_PUBLIC_ID_KEYS}. On Unix the file is this user's or
   * root's, and nobody else may read it.
   *
   * @param source a path, or {@code env:NAME}
   * @return the keys; {@link Code#INVALID_KEYS} if they are missing, malformed, weak or not unique,
   *     {@link Code#KEYS_EXPOSED} if others can read or change the file, {@link
   *     Code#INVALID_PARAMETER} for a wrong realm
   */
  public static PublicIdKeys open(String source) {
    return new PublicIdKeys(Native.openPublicIdKeys(Arguments.text(source, "source")));
  }

  /**
   * Reads the same document, TOML or JSON, from memory, where another keeper of secrets put it.
   *
   * @param document the bytes, which may be wiped after the call
   * @return the keys; {@link Code#INVALID_KEYS} or {@link Code#INVALID_PARAMETER} as above
   */
  public static PublicIdKeys fromBytes(byte[] document) {
    return new PublicIdKeys(Native.readPublicIdKeys(given(document, "document")));
  }

  /**
   * One new random key, with the symbol 1: for tests. {@code snowmint public-ids keygen} makes a
   * file.
   *
   * @return the keys
   */
  public static PublicIdKeys generate() {
    return new PublicIdKeys(Native.generatePublicIdKeys());
  }

  /**
   * What keeps these IDs apart from others under the same keys.
   *
   * @return the realm, which is empty unless the document has one
   */
  public String realm() {
    return facts[0];
  }

  /**
   * The symbols of all keys.
   *
   * @return one character each
   */
  public List<Character> symbols() {
    return facts[1].chars().mapToObj(sign -> (char) sign).toList();
  }

  /**
   * The symbol of the key that makes what is new.
   *
   * @return its symbol
   */
  public char current() {
    return facts[2].charAt(0);
  }

  /**
   * The symbol of the key that numbers have.
   *
   * @return its symbol, or nothing where several could be meant
   */
  public Optional<Character> numbers() {
    return facts[3].isEmpty() ? Optional.empty() : Optional.of(facts[3].charAt(0));
  }

  /**
   * What IDs of one type look like from outside, as tokens.
   *
   * @param type 1 to 32 small letters, digits and underscores, the first a letter, the last no
   *     underscore; another type reads none of them
   * @return the public IDs, to be kept, as keys are derived here; {@link Code#INVALID_PARAMETER}
   *     for another type
   */
  public PublicIds publicIds(String type) {
    return publicIds(type, PublicIdForm.TOKEN);
  }

  /**
   * What IDs of one type look like from outside.
   *
   * @param type as above
   * @param form the form
   * @return as above
   */
  public PublicIds publicIds(String type, PublicIdForm form) {
    int number = given(form, "form").ordinal();
    try {
      long ids = Native.publicIds(handle, Arguments.text(type, "type"), number);
      return new PublicIds(ids, type, form);
    } finally {
      Reference.reachabilityFence(this);
    }
  }

  /**
   * The document of these keys, for a file that only its owner may read. It has the keys.
   *
   * @return TOML
   */
  public String toToml() {
    try {
      return Native.publicIdKeysToml(handle);
    } finally {
      Reference.reachabilityFence(this);
    }
  }

  /** The symbols of its keys, and none of the keys, for logs and debuggers. */
  @Override
  public String toString() {
    return "PublicIdKeys[symbols=" + symbols() + ", current=" + current() + "]";
  }
}
