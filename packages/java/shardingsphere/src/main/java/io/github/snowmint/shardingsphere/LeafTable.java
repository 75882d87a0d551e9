package io.github.snowmint.shardingsphere;

import io.github.snowmint.Code;
import io.github.snowmint.SnowmintException;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Leaf's own table, under the property names of Leaf's generators. */
final class LeafTable {
  static final String KEY = "leaf.key";
  static final String JDBC_URL = "leaf.jdbc.url";
  static final List<String> KNOWN =
      List.of(KEY, JDBC_URL, "leaf.jdbc.username", "leaf.jdbc.password");

  private static final Pattern ADDRESS =
      Pattern.compile("jdbc:(mysql|mariadb|postgresql)://([^/?]+)/([^/?]+)(?:\\?.*)?");

  private LeafTable() {}

  /** Returns the URL that the properties mean, without the parameters of a JDBC driver. */
  static String url(Settings settings) {
    if (!settings.has(KEY)) {
      throw new SnowmintException(
          Code.INVALID_PARAMETER, "there is " + JDBC_URL + " and no " + KEY + ": name the biz_tag");
    }
    Matcher address = ADDRESS.matcher(settings.text(JDBC_URL));
    if (!address.matches()) {
      throw settings.hidden(JDBC_URL, "jdbc:mysql://host:3306/database, or one of PostgreSQL");
    }
    String user = encoded(settings.text("leaf.jdbc.username", ""));
    String password = encoded(settings.text("leaf.jdbc.password", ""));
    String login = user.isEmpty() ? "" : password.isEmpty() ? user : user + ":" + password;
    return "segment+" + address.group(1) + "://" + login + (login.isEmpty() ? "" : "@")
        + address.group(2) + "/" + address.group(3)
        + "?dialect=leaf&tag=" + encoded(settings.text(KEY));
  }

  private static String encoded(String text) {
    return URLEncoder.encode(text, StandardCharsets.UTF_8).replace("+", "%20");
  }
}
