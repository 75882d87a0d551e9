package io.github.snowmint.spring;

import java.util.List;

/** Thrown if there are several sources and none is the main one. */
final class UnclearSourceException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  UnclearSourceException(String user, List<String> names) {
    super(
        user
            + " has to take IDs from one of the sources "
            + String.join(", ", names)
            + ", and nothing says which");
  }
}
