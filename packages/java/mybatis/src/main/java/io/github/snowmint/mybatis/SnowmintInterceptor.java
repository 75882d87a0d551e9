package io.github.snowmint.mybatis;

import static io.github.snowmint.mybatis.Marked.given;

import io.github.snowmint.IdSource;
import java.lang.reflect.InvocationTargetException;
import java.util.Collection;
import java.util.Collections;
import java.util.IdentityHashMap;
import java.util.Map;
import java.util.Set;
import org.apache.ibatis.executor.Executor;
import org.apache.ibatis.mapping.MappedStatement;
import org.apache.ibatis.mapping.SqlCommandType;
import org.apache.ibatis.plugin.Interceptor;
import org.apache.ibatis.plugin.Intercepts;
import org.apache.ibatis.plugin.Invocation;
import org.apache.ibatis.plugin.Signature;

/**
 * Fills the fields with {@link SnowmintId} before an insertion: those of the parameter, of the
 * elements of a collection or an array, and of named parameters. A field that has a value keeps it.
 * Add it by {@code Configuration.addInterceptor}. Any number of sessions may share it. Whoever
 * opened the source closes it.
 */
@Intercepts(
    @Signature(
        type = Executor.class,
        method = "update",
        args = {MappedStatement.class, Object.class}))
public final class SnowmintInterceptor implements Interceptor {
  private final IdSource source;

  /**
   * Creates an interceptor that mints from a source of 64-bit IDs.
   *
   * @param source the source
   */
  public SnowmintInterceptor(IdSource source) {
    this.source = given(source, "source");
  }

  @Override
  public Object intercept(Invocation invocation)
      throws InvocationTargetException, IllegalAccessException {
    MappedStatement statement = (MappedStatement) invocation.getArgs()[0];
    if (statement.getSqlCommandType() == SqlCommandType.INSERT) {
      fill(invocation.getArgs()[1], Collections.newSetFromMap(new IdentityHashMap<>()));
    }
    return invocation.proceed();
  }

  /** Fills a parameter once, because the same object may appear under several names. */
  private void fill(Object parameter, Set<Object> seen) {
    if (parameter == null || !seen.add(parameter)) {
      return;
    }
    if (parameter instanceof Map<?, ?> named) {
      named.values().forEach(value -> fill(value, seen));
    } else if (parameter instanceof Collection<?> several) {
      several.forEach(value -> fill(value, seen));
    } else if (parameter instanceof Object[] several) {
      for (Object value : several) {
        fill(value, seen);
      }
    } else {
      Marked.of(parameter.getClass()).forEach(field -> field.fill(parameter, source));
    }
  }
}
