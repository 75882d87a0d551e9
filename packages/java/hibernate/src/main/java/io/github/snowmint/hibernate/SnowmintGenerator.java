package io.github.snowmint.hibernate;

import io.github.snowmint.SnowmintException;
import io.github.snowmint.internal.sharing.SharedSource;
import java.lang.annotation.Annotation;
import java.lang.reflect.Member;
import java.util.EnumSet;
import java.util.concurrent.locks.ReentrantLock;
import org.hibernate.SessionFactory;
import org.hibernate.SessionFactoryObserver;
import org.hibernate.engine.spi.SessionFactoryImplementor;
import org.hibernate.engine.spi.SharedSessionContractImplementor;
import org.hibernate.generator.AnnotationBasedGenerator;
import org.hibernate.generator.BeforeExecutionGenerator;
import org.hibernate.generator.EventType;
import org.hibernate.generator.EventTypeSets;
import org.hibernate.generator.GeneratorCreationContext;

/**
 * Makes the identifiers of attributes with {@link SnowmintId}, {@link SnowmintSnowflake} or
 * {@link SnowmintSegment}. Hibernate makes it; applications only annotate.
 *
 * <p>Annotations are checked when the {@code SessionFactory} is built, and its source opens at the
 * end of that, when the schema is there ({@link StartIntegrator}). Where that is left out it opens for
 * the first identifier, and one that failed to open is tried again for the next.
 */
public final class SnowmintGenerator
    implements BeforeExecutionGenerator, AnnotationBasedGenerator<Annotation> {
  private static final long serialVersionUID = 1L;
  private static final System.Logger LOG = System.getLogger("io.github.snowmint.hibernate");

  private final transient ReentrantLock opening = new ReentrantLock();
  /** The class and the attribute, for errors. */
  private transient String name;
  private transient Origin origin;
  private transient IdentifierType type;
  private transient volatile SharedSource shared;

  /** A generator without a source, as Hibernate makes it. */
  public SnowmintGenerator() {}

  @Override
  public void initialize(Annotation annotation, GeneratorCreationContext context) {
    read(annotation, context.getMemberDetails().toJavaMember(), context);
  }

  /** As Hibernate before 7.3 calls it. */
  @Override
  @SuppressWarnings("removal")
  public void initialize(Annotation annotation, Member member, GeneratorCreationContext context) {
    read(annotation, member, context);
  }

  private void read(Annotation annotation, Member member, GeneratorCreationContext context) {
    name = member.getDeclaringClass().getSimpleName() + "." + member.getName();
    try {
      type = IdentifierType.of(annotation, member, context.getServiceRegistry());
      origin = Origin.of(annotation, context.getServiceRegistry());
    } catch (SnowmintException failure) {
      throw named(failure);
    }
  }

  /** With the attribute that it is about. */
  private SnowmintException named(SnowmintException failure) {
    String message = name + ": " + failure.getMessage();
    return new SnowmintException(
        failure.code(), message, failure.waitMs().orElse(-1), failure);
  }

  @Override
  public EnumSet<EventType> getEventTypes() {
    return EventTypeSets.INSERT_ONLY;
  }

  @Override
  public Object generate(
      SharedSessionContractImplementor session, Object owner, Object value, EventType event) {
    SharedSource present = shared;
    return type.next((present == null ? open(session.getFactory()) : present).source());
  }

  private SharedSource open(SessionFactoryImplementor factory) {
    opening.lock();
    try {
      if (shared == null) {
        open();
        factory.addObserver(new Closing(this));
      }
      return shared;
    } finally {
      opening.unlock();
    }
  }

  /** Opens the source, unless it is open; whoever calls this closes it. */
  void open() {
    opening.lock();
    try {
      if (shared == null) {
        shared = SharedSource.of(origin.key(), origin::open);
      }
    } catch (SnowmintException failure) {
      throw named(failure);
    } finally {
      opening.unlock();
    }
  }

  /** Lets go of the source before the connections are gone. */
  void closeQuietly() {
    try {
      close();
    } catch (SnowmintException failure) {
      // The factory goes on closing; what is not given back ends by itself.
      LOG.log(System.Logger.Level.WARNING, "a source of identifiers did not close", failure);
    }
  }

  private void close() {
    opening.lock();
    try {
      if (shared != null) {
        SharedSource former = shared;
        shared = null;
        former.leave();
      }
    } finally {
      opening.unlock();
    }
  }

  /** Ends with the factory what opened later than it. */
  private static final class Closing implements SessionFactoryObserver {
    private static final long serialVersionUID = 1L;

    private final transient SnowmintGenerator generator;

    Closing(SnowmintGenerator generator) {
      this.generator = generator;
    }

    @Override
    public void sessionFactoryClosed(SessionFactory factory) {
      generator.closeQuietly();
    }
  }
}
