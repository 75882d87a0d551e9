package io.github.snowmint.spring;

import io.github.snowmint.Code;
import io.github.snowmint.SnowmintException;
import java.util.Set;
import org.springframework.beans.factory.BeanCreationException;
import org.springframework.boot.diagnostics.AbstractFailureAnalyzer;
import org.springframework.boot.diagnostics.FailureAnalysis;
import org.springframework.core.env.Environment;

/**
 * Explains at a failed start what was wrong with the starter's own source or with that of an
 * entity, and what would be right. No property concerns a source or keys that the application opens
 * itself: Spring reports those.
 */
final class SnowmintFailureAnalyzer extends AbstractFailureAnalyzer<SnowmintException> {
  private static final Set<String> OWN_BEANS =
      Set.of(MainSource.OF_URL, MainSource.OF_DATABASE, MainSource.STORE);
  private static final String OWN_CLASSES = "io/github/snowmint/spring/";
  private static final String ENTITY_CLASSES = "io.github.snowmint.hibernate.";

  private final Environment environment;

  /** Creates the analyzer, for Spring to call. */
  SnowmintFailureAnalyzer(Environment environment) {
    this.environment = environment;
  }

  @Override
  protected FailureAnalysis analyze(Throwable root, SnowmintException cause) {
    boolean isOfEntity = isOfEntity(cause);
    if (!isOfEntity && !isOfOwnBean(root)) {
      return null;
    }
    String description =
        "snowmint could not open its source: " + cause.code().label() + ": " + cause.getMessage();
    String action =
        isOfEntity
            ? actionOnEntity(cause)
            : UrlProperty.isSet(environment)
                ? actionOnUrl(cause.code())
                : actionOnDataSource(cause.code());
    return new FailureAnalysis(description, action, cause);
  }

  /** Returns true for an error of an entity's annotation, which names the class and attribute. */
  private static boolean isOfEntity(SnowmintException cause) {
    StackTraceElement[] stack = cause.getStackTrace();
    return stack.length > 0 && stack[0].getClassName().startsWith(ENTITY_CLASSES);
  }

  /** Returns true if the innermost bean that could not be created is the starter's. */
  private static boolean isOfOwnBean(Throwable root) {
    BeanCreationException innermost = null;
    for (Throwable at = root; at != null; at = at.getCause()) {
      if (at instanceof BeanCreationException creation) {
        innermost = creation;
      }
    }
    if (innermost == null || innermost.getBeanName() == null) {
      return false;
    }
    // A bean definition that was processed ahead of time does not say where it is defined.
    String where = innermost.getResourceDescription();
    return OWN_BEANS.contains(innermost.getBeanName())
        && (where == null || where.contains(OWN_CLASSES));
  }

  private static String actionOnEntity(SnowmintException cause) {
    if (!cause.getMessage().contains(EntitySources.ADVICE)) {
      return "Correct the annotation of the attribute that the description names, or do what the"
          + " description says.";
    }
    return cause.code() == Code.UNKNOWN_TAG
        ? "Set snowmint.create-tables=always, which creates the tags of entities as well, or create"
            + " the tag once: snowmint segment create STORE TAG. Where numbers were given before,"
            + " begin above them: a new tag begins at 1."
        : actionOnDataSource(cause.code());
  }

  private static String actionOnDataSource(Code code) {
    return switch (code) {
      case STORE_MISSING ->
          "Where the database itself is not there, create it, or correct its name in"
              + " spring.datasource.url. Where its tables are not, set snowmint.create-tables=always,"
              + " or create them by your migrations. Tables of their own are a key space of their"
              + " own: check first that this is the right database.";
      case STORE_SCHEMA ->
          "Do what the description says. Check first that this is the right database: tables of their"
              + " own are a key space of their own.";
      case INCARNATION_CHANGED ->
          "Check first that spring.datasource.url names the right database. Where another server"
              + " took its place, confirm it as the description says. Where the tables were created"
              + " again, raise every tag above all numbers in use before you change or remove"
              + " snowmint.key-space.";
      case STORE_DENIED ->
          "Where the database refuses the user, correct spring.datasource.username or"
              + " spring.datasource.password. Where it refuses what he does, grant him what the"
              + " description names, or name a DataSource of another user by snowmint.data-source.";
      case STORE_UNAVAILABLE, STORE_LOCKED, WAIT_TIMEOUT ->
          "Check that the database of spring.datasource.url answers, or start again once it does.";
      case UNKNOWN_TAG ->
          "Create the tag, once, before it is opened: by ensureTag of the bean JdbcStore, or by"
              + " `snowmint segment create STORE TAG`. Where numbers were given before, begin above"
              + " them: a new tag begins at 1.";
      case WORKERS_EXHAUSTED ->
          "Wait as long as the description says. Where all worker IDs are held, end instances that are"
              + " not needed, or set snowmint.layout to one with more worker bits.";
      case UNKNOWN_LAYOUT, INVALID_LAYOUT ->
          "Set snowmint.layout to a preset's name, such as twitter, or to fields from the top bit"
              + " down, such as time:41,worker:10,sequence:12.";
      default -> "Correct the property snowmint.* that the description is about.";
    };
  }

  private static String actionOnUrl(Code code) {
    return switch (code) {
      case STORE_MISSING ->
          "Where the database itself is not there, create it, or correct its name in snowmint.url."
              + " Where its tables are not, or a file, add create=true to snowmint.url. What is new is"
              + " a key space of its own: check first that snowmint.url names the right one.";
      case STORE_SCHEMA ->
          "Check that snowmint.url names the right file or database: its tables are not those of"
              + " snowmint.";
      case STORE_DENIED ->
          "Where the store refuses the user whom snowmint.url names, correct his name or password."
              + " Where it refuses what he does, grant him what the description says, or name another"
              + " one.";
      case STORE_UNAVAILABLE, STORE_LOCKED, WAIT_TIMEOUT ->
          "Check that the server that snowmint.url names answers, and that no other process holds its"
              + " file; or start again once it is so.";
      case UNKNOWN_TAG ->
          "Create the tag, once: snowmint segment create STORE TAG, where STORE is snowmint.url from"
              + " after segment+, daily+ or sequences+ to before the ?. Where numbers were given"
              + " before, begin above them: a new tag begins at 1.";
      case WORKERS_EXHAUSTED ->
          "Wait as long as the description says. Where all worker IDs are held, end instances that are"
              + " not needed, or set layout= in snowmint.url to one with more worker bits.";
      case UNKNOWN_LAYOUT, INVALID_LAYOUT ->
          "Set layout= in snowmint.url to a preset's name, such as twitter, or to fields from the"
              + " top bit down, such as time:41,worker:10,sequence:12.";
      case UNKNOWN_SCHEME, INVALID_URL, UNKNOWN_PARAMETER ->
          "Correct snowmint.url, such as snowflake:?worker_id=env or"
              + " snowflake+sqlite:ids.db?create=true.";
      default -> "Correct snowmint.url, or the property that the description is about.";
    };
  }
}
