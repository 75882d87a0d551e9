package io.github.snowmint.mybatis;

import static io.github.snowmint.mybatis.Marked.given;

import com.baomidou.mybatisplus.core.incrementer.IdentifierGenerator;
import io.github.snowmint.Code;
import io.github.snowmint.IdSource;
import io.github.snowmint.SnowmintException;
import io.github.snowmint.UuidSource;
import java.util.function.Function;

/**
 * The identifiers of MyBatis-Plus ({@code IdType.ASSIGN_ID}, and {@code ASSIGN_UUID} from a source
 * of UUIDs). They replace its own generator, which derives a worker ID from the machine's address.
 * Any number of threads may share it. Whoever opened the source closes it.
 */
public final class SnowmintIdentifiers implements IdentifierGenerator {
  private final Function<Class<?>, IdSource> sources;

  /**
   * Mints the identifiers of all entities from one source.
   *
   * @param source the source
   */
  public SnowmintIdentifiers(IdSource source) {
    given(source, "source");
    this.sources = entity -> source;
  }

  /**
   * Mints the identifiers of each entity from a source of its own, for example a segment for each
   * table.
   *
   * @param sources returns the source for an entity's class
   */
  public SnowmintIdentifiers(Function<Class<?>, IdSource> sources) {
    this.sources = given(sources, "sources");
  }

  @Override
  public Number nextId(Object entity) {
    return source(entity).nextId();
  }

  @Override
  public String nextUUID(Object entity) {
    IdSource source = source(entity);
    return source instanceof UuidSource
        ? source.nextUuid().toString().replace("-", "")
        : IdentifierGenerator.super.nextUUID(entity);
  }

  private IdSource source(Object entity) {
    IdSource source = sources.apply(entity.getClass());
    if (source == null) {
      throw new SnowmintException(
          Code.INVALID_PARAMETER,
          "no source for " + entity.getClass().getName() + ": give one for each entity");
    }
    return source;
  }
}
