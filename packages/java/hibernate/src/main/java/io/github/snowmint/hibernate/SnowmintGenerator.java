package io.github.snowmint.hibernate;

import io.github.snowmint.SnowmintException;
import java.lang.annotation.Annotation;
import java.lang.reflect.Member;
import java.util.EnumSet;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Supplier;
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
 * Generates the identifiers of attributes with {@link SnowmintId}, {@link SnowmintSnowflake} or
 * {@link SnowmintSegment}. Hibernate creates it; applications only annotate.
 *
 * <p>Annotations are checked while the {@code SessionFactory} is built. The source opens at the end
 * of that, when the schema exists ({@link StartIntegrator}). Without that integrator, the source
 * opens for the first identifier. If opening fails, the next identifier tries again.
 */
public final class SnowmintGenerator
    implements BeforeExecutionGenerator, AnnotationBasedGenerator<Annotation> {
  private static final long serialVersionUID = 1L;
  private static final System.Logger LOG = System.getLogger("io.github.snowmint.hibernate");

  private final transient ReentrantLock opening = new ReentrantLock();
  /** The class and the attribute, for error messages. */
  private transient String name;
  private transient Supplier<Origin.Opened> opener;
  private transient IdentifierType type;
  private transient volatile Origin.Opened opened;

  /** Creates a generator without a source, for Hibernate to call. */
  public SnowmintGenerator() {}

  @Override
  public void initialize(Annotation annotation, GeneratorCreationContext context) {
    read(annotation, context.getMemberDetails().toJavaMember(), context);
  }

  /** Reads the annotation, for Hibernate before 7.3. */
  @Override
  @SuppressWarnings("removal")
  public void initialize(Annotation annotation, Member member, GeneratorCreationContext context) {
    read(annotation, member, context);
  }

  private void read(Annotation annotation, Member member, GeneratorCreationContext context) {
    name = member.getDeclaringClass().getSimpleName() + "." + member.getName();
    try {
      type = IdentifierType.of(annotation, member, context.getServiceRegistry());
      opener = Origin.of(name, context.getServiceRegistry()).opener(annotation);
    } catch (SnowmintException failure) {
      throw named(failure);
    }
  }

  /** Returns the failure with the name of the attribute in its message. */
  private SnowmintException named(SnowmintException failure) {
    String message = name + ": " + failure.getMessage();
    return new SnowmintException(
        failure.code(), message, failure.waitMs().orElse(-1), failure);
  }

  @Override
  public EnumSet<EventType> getEventTypes() {
    return EventTypeSets.INSERT_ONLY;
  }

  /** Keeps an identifier that the application set. */
  @Override
  public boolean allowAssignedIdentifiers() {
    return true;
  }

  @Override
  public Object generate(
      SharedSessionContractImplementor session, Object owner, Object value, EventType event) {
    if (IdentifierType.isSet(value)) {
      return value;
    }
    Origin.Opened present = opened;
    return type.next((present == null ? open(session.getFactory()) : present).source());
  }

  private Origin.Opened open(SessionFactoryImplementor factory) {
    opening.lock();
    try {
      if (opened == null) {
        open();
        factory.addObserver(new Closing(this));
      }
      return opened;
    } finally {
      opening.unlock();
    }
  }

  /** Opens the source, unless it is open. The caller must close it. */
  void open() {
    opening.lock();
    try {
      if (opened == null) {
        opened = opener.get();
      }
    } catch (SnowmintException failure) {
      throw named(failure);
    } finally {
      opening.unlock();
    }
  }

  /** Releases the source before the connections are gone. */
  void closeQuietly() {
    try {
      close();
    } catch (SnowmintException failure) {
      // The factory still closes, and a lease that is not released expires.
      LOG.log(System.Logger.Level.WARNING, "a source of identifiers did not close", failure);
    }
  }

  private void close() {
    opening.lock();
    try {
      if (opened != null) {
        Origin.Opened former = opened;
        opened = null;
        former.leaving().run();
      }
    } finally {
      opening.unlock();
    }
  }

  /** Closes with the factory a source that opened after it. */
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
