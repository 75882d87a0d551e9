package io.github.snowmint.hibernate;

import java.util.ArrayList;
import java.util.List;
import org.hibernate.SessionFactory;
import org.hibernate.SessionFactoryObserver;
import org.hibernate.boot.Metadata;
import org.hibernate.boot.spi.BootstrapContext;
import org.hibernate.engine.config.spi.ConfigurationService;
import org.hibernate.engine.config.spi.StandardConverters;
import org.hibernate.engine.spi.SessionFactoryImplementor;
import org.hibernate.integrator.spi.Integrator;
import org.hibernate.service.spi.SessionFactoryServiceRegistry;

/**
 * Opens the sources of a {@code SessionFactory} while it is built, once its schema exists. An error
 * then fails the start of the application instead of its first {@code persist}. Hibernate finds
 * this class by itself. With the setting {@code snowmint.lazy=true} each source opens for its first
 * identifier.
 */
public final class StartIntegrator implements Integrator {
  /** Creates the integrator, for Hibernate to call. */
  public StartIntegrator() {}

  @Override
  public void integrate(
      Metadata metadata, BootstrapContext context, SessionFactoryImplementor factory) {
    Misplaced.check(metadata);
    ConfigurationService settings =
        context.getServiceRegistry().requireService(ConfigurationService.class);
    if (!settings.getSetting(ApplicationSources.LAZY, StandardConverters.BOOLEAN, false)) {
      factory.addObserver(new Opening());
    }
  }

  /** Does nothing, because the observer ends with the factory. Hibernate before 7 requires it. */
  @Override
  public void disintegrate(
      SessionFactoryImplementor factory, SessionFactoryServiceRegistry registry) {}

  /** Opens and closes the sources of the factory's entities. */
  private static final class Opening implements SessionFactoryObserver {
    private static final long serialVersionUID = 1L;

    private final transient List<SnowmintGenerator> opened = new ArrayList<>();

    @Override
    public void sessionFactoryCreated(SessionFactory factory) {
      try {
        ((SessionFactoryImplementor) factory)
            .getMappingMetamodel()
            .forEachEntityDescriptor(
                entity -> {
                  if (entity.getGenerator() instanceof SnowmintGenerator generator) {
                    generator.open();
                    opened.add(generator);
                  }
                });
      } catch (RuntimeException failure) {
        closeAll();
        throw failure;
      }
    }

    @Override
    public void sessionFactoryClosed(SessionFactory factory) {
      closeAll();
    }

    private void closeAll() {
      opened.forEach(SnowmintGenerator::closeQuietly);
      opened.clear();
    }
  }
}
