package io.github.snowmint.shardingsphere;

import io.github.snowmint.Code;
import io.github.snowmint.SnowmintException;
import java.util.List;
import java.util.Map;
import java.util.Properties;
import java.util.TreeMap;

/** The properties of one key generator. It refuses a property that it does not know. */
final class Settings {
  private final String type;
  private final Map<String, String> values = new TreeMap<>();

  Settings(String type, Properties properties, List<String> known) {
    this.type = type;
    properties.forEach((name, value) -> values.put(name.toString(), value.toString()));
    for (String name : values.keySet()) {
      if (!known.contains(name)) {
        throw new SnowmintException(
            Code.UNKNOWN_PARAMETER,
            "property " + name + " is none of " + type + ": it has " + String.join(", ", known));
      }
    }
  }

  /** Returns the key that is equal for generators that share a source. */
  List<Object> key() {
    return List.of(type, Map.copyOf(values));
  }

  boolean has(String name) {
    return values.containsKey(name);
  }

  /** Returns the text of a property, or null. */
  String text(String name) {
    return values.get(name);
  }

  String text(String name, String usual) {
    return values.getOrDefault(name, usual);
  }

  long number(String name, long least, long most, long usual) {
    if (!has(name)) {
      return usual;
    }
    try {
      long number = Long.parseLong(text(name));
      if (number >= least && number <= most) {
        return number;
      }
    } catch (NumberFormatException none) {
      // Fails as for a number out of range.
    }
    throw invalid(name, "a whole number from " + least + " to " + most);
  }

  boolean flag(String name) {
    return switch (text(name, "false")) {
      case "true" -> true;
      case "false" -> false;
      default -> throw invalid(name, "true or false");
    };
  }

  /** Returns the single property among these that is set. Fails if none or several are. */
  String one(String... names) {
    List<String> given = List.of(names).stream().filter(this::has).toList();
    if (given.size() == 1) {
      return given.get(0);
    }
    throw new SnowmintException(
        Code.INVALID_PARAMETER,
        (given.isEmpty() ? "there is no source" : String.join(" and ", given) + " are two sources")
            + ": give "
            + type
            + " one of the properties "
            + String.join(", ", names));
  }

  /** Refuses properties that have no effect beside the property that names the source. */
  void without(String source, List<String> names) {
    for (String name : names) {
      if (has(name)) {
        throw new SnowmintException(
            Code.INVALID_PARAMETER,
            "property " + name + " of " + type + " has no effect beside " + source
                + ": leave out one of the two");
      }
    }
  }

  SnowmintException invalid(String name, String right) {
    return new SnowmintException(
        Code.INVALID_PARAMETER,
        "property " + name + " of " + type + " is \"" + text(name) + "\": give " + right);
  }

  /** Returns an error without the value, because a URL may contain a password. */
  SnowmintException hidden(String name, String right) {
    return new SnowmintException(
        Code.INVALID_PARAMETER, "property " + name + " of " + type + " is none: give " + right);
  }

  /** Returns the error of a URL for another kind of source, without its value. */
  SnowmintException otherKind(String name, String right) {
    return new SnowmintException(
        Code.INVALID_PARAMETER,
        "property " + name + " of " + type + " opens a source of another kind: give " + right);
  }

  /** Returns the same error with the name of its property. */
  SnowmintException about(String name, SnowmintException failure) {
    return new SnowmintException(
        failure.code(),
        "property " + name + " of " + type + ": " + failure.getMessage(),
        failure.waitMs().orElse(-1),
        failure);
  }
}
