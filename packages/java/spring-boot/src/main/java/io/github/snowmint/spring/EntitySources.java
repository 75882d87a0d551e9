package io.github.snowmint.spring;

import io.github.snowmint.IdSource;
import io.github.snowmint.Snowflake;
import io.github.snowmint.hibernate.ApplicationSources;
import io.github.snowmint.jdbc.JdbcStore;
import java.util.Optional;
import javax.sql.DataSource;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;
import org.springframework.core.env.Environment;
import org.springframework.orm.jpa.AbstractEntityManagerFactoryBean;

/**
 * Gives the beans to the entities of one {@code EntityManagerFactory}. The starter's own beans on
 * the default {@code DataSource} do not serve entities in another database: applications that share
 * that database lease from it.
 *
 * @param beans the beans, which are created when an entity needs them
 * @param factory the factory
 * @param name the name of the factory's bean
 */
record EntitySources(
    ConfigurableListableBeanFactory beans, AbstractEntityManagerFactoryBean factory, String name)
    implements ApplicationSources {
  static final String ADVICE = "set snowmint.create-tables=always";

  @Override
  public Optional<Snowflake> snowflake() {
    return beans.containsBean(MainSource.OF_DATABASE) && isElsewhere()
        ? Optional.empty()
        : MainSource.snowflake(beans).map(source -> bean(source, Snowflake.class));
  }

  @Override
  public Optional<JdbcStore> store() {
    return isElsewhere()
        ? Optional.empty()
        : MainSource.store(beans).map(store -> bean(store, JdbcStore.class));
  }

  /** Returns true if the starter's store leases from another database than that of the factory. */
  private boolean isElsewhere() {
    return beans.containsBean(MainSource.STORE)
        && properties().dataSource() == null
        && factory.getDataSource() != beans.getBeanProvider(DataSource.class).getIfUnique();
  }

  /** Returns a bean that Spring will destroy after the factory. */
  private <T> T bean(String needed, Class<T> type) {
    T bean = beans.getBean(needed, type);
    beans.registerDependentBean(needed, name);
    return bean;
  }

  @Override
  public boolean create() {
    String named = properties().dataSource();
    DataSource source =
        named == null ? factory.getDataSource() : beans.getBean(named, DataSource.class);
    return switch (properties().createTables()) {
      case ALWAYS -> true;
      case NEVER -> false;
      case EMBEDDED -> source != null && Opening.isEmbedded(source);
    };
  }

  @Override
  public String advice() {
    return UrlProperty.isSet(beans.getBean(Environment.class))
        ? "set create = true in the annotation"
        : ADVICE;
  }

  @Override
  public void opened(String attribute, IdSource source) {
    beans.getBean(OpenedSources.class).add(attribute, source);
  }

  private SnowmintProperties properties() {
    return beans.getBean(SnowmintProperties.class);
  }
}
