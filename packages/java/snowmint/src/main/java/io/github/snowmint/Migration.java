package io.github.snowmint;

import java.util.List;
import java.util.Optional;

/**
 * The statements that a store needed, or would need.
 *
 * @param place the place of the tables: the file, or the server and its database
 * @param state {@code made}; {@code there} if nothing was missing; or {@code missing} after {@link
 *     Store#migration}
 * @param keySpace the identity of the key space, for {@code key_space=} in a URL; empty after {@link
 *     Store#migration}, and for a copy that is not yet confirmed
 * @param report the text that the command {@code snowmint migrate} prints; after {@link
 *     Store#migration} it is a script for the store's own client
 * @param statements the statements that create what was missing, in order; empty if nothing was
 */
public record Migration(
    String place,
    String state,
    Optional<String> keySpace,
    String report,
    List<String> statements) {}
