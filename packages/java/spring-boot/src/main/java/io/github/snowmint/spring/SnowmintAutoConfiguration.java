package io.github.snowmint.spring;

import io.github.snowmint.IdSource;
import io.github.snowmint.Snowflake;
import io.github.snowmint.jdbc.JdbcStore;
import javax.sql.DataSource;
import org.springframework.beans.factory.BeanFactory;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnProperty;
import org.springframework.boot.context.properties.EnableConfigurationProperties;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Conditional;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Import;
import org.springframework.context.annotation.Lazy;
import org.springframework.core.env.Environment;

/**
 * Creates the beans: a {@link JdbcStore} on the application's {@code DataSource} and a
 * {@link Snowflake} whose worker ID it leases. With {@code snowmint.url}, the {@link IdSource} of
 * that URL replaces both. Each yields to a bean of the application's own.
 *
 * <p>The source opens with the context, so an error fails the start and says what would be right.
 * It closes before its {@code DataSource}, even if the start fails elsewhere, and releases the
 * worker ID.
 */
@AutoConfiguration(
    afterName = {
      "org.springframework.boot.autoconfigure.jdbc.DataSourceAutoConfiguration",
      "org.springframework.boot.jdbc.autoconfigure.DataSourceAutoConfiguration" // Spring Boot 4.
    },
    beforeName = "com.baomidou.mybatisplus.autoconfigure.MybatisPlusAutoConfiguration")
@ConditionalOnProperty(name = "snowmint.enabled", matchIfMissing = true)
@EnableConfigurationProperties(SnowmintProperties.class)
// After the sources, which the nested classes define.
@Import({
  AllSources.class,
  EntityFactories.class,
  HealthOfBoot3.class,
  HealthOfBoot4.class,
  SnowmintMeters.class,
  MybatisBeans.class
})
public class SnowmintAutoConfiguration {
  /** Creates the configuration, for Spring to call. */
  SnowmintAutoConfiguration() {}

  @Bean
  static SourceCloser snowmintSourceCloser(ObjectProvider<SnowmintProperties> properties) {
    return new SourceCloser(properties);
  }

  @Bean
  OpenedSources snowmintOpenedSources() {
    return new OpenedSources();
  }

  /** The source of a URL. */
  @Configuration(proxyBeanMethods = false)
  @Conditional(UrlProperty.Given.class)
  static class OfUrl {
    @Bean(destroyMethod = "") // The SourceCloser closes it.
    @ConditionalOnMissingBean(name = MainSource.OF_URL)
    IdSource idSource(SnowmintProperties properties, Environment environment) {
      return Opening.byUrl(properties, environment);
    }
  }

  /** A snowflake with a worker ID leased from the application's database. */
  @Configuration(proxyBeanMethods = false)
  @Conditional(UrlProperty.Absent.class)
  static class OfDatabase {
    @Bean(MainSource.STORE)
    @ConditionalOnMissingBean
    @Lazy // Missing tables fail the start only if something uses the store.
    JdbcStore snowmintStore(
        SnowmintProperties properties, ObjectProvider<DataSource> sources, BeanFactory beans) {
      return Opening.store(properties, sources, beans);
    }

    @Bean(name = MainSource.OF_DATABASE, destroyMethod = "")
    @ConditionalOnMissingBean
    Snowflake snowflake(SnowmintProperties properties, JdbcStore store) {
      return Opening.byLease(properties, store);
    }
  }
}
