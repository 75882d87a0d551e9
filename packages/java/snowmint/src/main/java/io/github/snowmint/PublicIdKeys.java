package io.github.snowmint;

import static io.github.snowmint.internal.Arguments.given;

import io.github.snowmint.internal.Arguments;
import io.github.snowmint.internal.Native;
import io.github.snowmint.internal.Reaper;
import java.lang.ref.Reference;
import java.util.List;
import java.util.Optional;

/**
 * The keys that turn IDs into public IDs. Nothing is stored: with the keys, an ID is computed from
 * its public form. Without them, the form looks random.
 *
 * <p>Keys do not change once opened, and any number of threads may share them. They are native
 * memory, which is zeroed once this object is unreachable, so there is nothing to close.
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
   * Reads keys from a file, by its path, or from an environment variable, by {@code env:NAME}.
   * {@code env:} alone is {@code SNOWMINT_PUBLIC_ID_KEYS}. On Unix the file must belong to this
   * user or to root, and no other user may read it.
   *
   * @param source a path, or {@code env:NAME}
   * @return the keys
   * @throws SnowmintException {@link Code#INVALID_KEYS} if they are missing, malformed, weak or not
   *     unique, {@link Code#KEYS_EXPOSED} if others can read or change the file, or
   *     {@link Code#INVALID_PARAMETER} for a wrong realm
   */
  public static PublicIdKeys open(String source) {
    return new PublicIdKeys(Native.openPublicIdKeys(Arguments.text(source, "source")));
  }

  /**
   * Reads the same document, TOML or JSON, from memory, for example from a manager of secrets.
   *
   * @param document the bytes, which you may erase after the call
   * @return the keys
   * @throws SnowmintException {@link Code#INVALID_KEYS} or {@link Code#INVALID_PARAMETER} as for
   *     {@link #open}
   */
  public static PublicIdKeys fromBytes(byte[] document) {
    return new PublicIdKeys(Native.readPublicIdKeys(given(document, "document")));
  }

  /**
   * Creates one random key with the symbol 1, for tests. {@code snowmint public-ids keygen} creates
   * a file.
   *
   * @return the keys
   */
  public static PublicIdKeys generate() {
    return new PublicIdKeys(Native.generatePublicIdKeys());
  }

  /**
   * Returns the realm, which keeps these IDs apart from others under the same keys.
   *
   * @return the realm, which is empty unless the document has one
   */
  public String realm() {
    return facts[0];
  }

  /**
   * Returns the symbols of all keys.
   *
   * @return one character each
   */
  public List<Character> symbols() {
    return facts[1].chars().mapToObj(sign -> (char) sign).toList();
  }

  /**
   * Returns the symbol of the key that encodes new public IDs.
   *
   * @return its symbol
   */
  public char current() {
    return facts[2].charAt(0);
  }

  /**
   * Returns the symbol of the key for numbers.
   *
   * @return its symbol, or nothing if several keys are possible
   */
  public Optional<Character> numbers() {
    return facts[3].isEmpty() ? Optional.empty() : Optional.of(facts[3].charAt(0));
  }

  /**
   * Returns the public IDs of one type, as tokens.
   *
   * @param type 1 to 32 lower-case letters, digits and underscores, with a letter first and no
   *     underscore last; public IDs of another type are refused
   * @return the public IDs; keep them, because this call derives keys
   * @throws SnowmintException {@link Code#INVALID_PARAMETER} for an impossible type
   */
  public PublicIds publicIds(String type) {
    return publicIds(type, PublicIdForm.TOKEN);
  }

  /**
   * Returns the public IDs of one type.
   *
   * @param type the type, as for {@link #publicIds(String)}
   * @param form the form
   * @return the public IDs; keep them, because this call derives keys
   * @throws SnowmintException {@link Code#INVALID_PARAMETER} for an impossible type
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
   * Returns the document with these keys, for a file that only its owner may read.
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

  /** Returns the symbols of the keys without the keys themselves, for logs and debuggers. */
  @Override
  public String toString() {
    return "PublicIdKeys[symbols=" + symbols() + ", current=" + current() + "]";
  }
}
