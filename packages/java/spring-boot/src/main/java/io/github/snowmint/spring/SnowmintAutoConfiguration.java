package io.github.snowmint.spring;

import io.github.snowmint.IdSource;
import io.github.snowmint.Snowflake;
import io.github.snowmint.jdbc.JdbcStore;
import javax.sql.DataSource;
import org.springframework.beans.factory.BeanFactory;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnProperty;
import org.springframework.boot.context.properties.EnableConfigurationProperties;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Conditional;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Import;
import org.springframework.core.env.Environment;

/**
 * Makes the beans: a {@link JdbcStore} on the application's {@code DataSource}, a {@link Snowflake}
 * whose worker ID it leases, or in place of both the {@link IdSource} of {@code snowmint.url}. Each
 * yields to a bean of the application's own.
 *
 * <p>The source opens with the context: what is wrong with it fails the start, and says what would
 * be right. It closes before its {@code DataSource} does, also if the start fails elsewhere, and
 * gives the worker ID back.
 */
@AutoConfiguration(
    afterName = {
      "org.springframework.boot.autoconfigure.jdbc.DataSourceAutoConfiguration",
      "org.springframework.boot.jdbc.autoconfigure.DataSourceAutoConfiguration" // Of Spring Boot 4.
    },
    beforeName = "com.baomidou.mybatisplus.autoconfigure.MybatisPlusAutoConfiguration")
@ConditionalOnProperty(name = "snowmint.enabled", matchIfMissing = true)
@EnableConfigurationProperties(SnowmintProperties.class)
// After the sources, which are of the nested classes.
@Import({
  AllSources.class,
  HealthOfBoot3.class,
  HealthOfBoot4.class,
  SnowmintMeters.class,
  MybatisBeans.class
})
public class SnowmintAutoConfiguration {
  /** As Spring makes it. */
  SnowmintAutoConfiguration() {}

  @Bean
  static SourceCloser snowmintSourceCloser(ObjectProvider<SnowmintProperties> properties) {
    return new SourceCloser(properties);
  }

  /** The source of a URL. */
  @Configuration(proxyBeanMethods = false)
  @Conditional(UrlProperty.Given.class)
  static class OfUrl {
    @Bean(destroyMethod = "") // By the SourceCloser.
    @ConditionalOnMissingBean(name = MainSource.OF_URL)
    IdSource idSource(SnowmintProperties properties, Environment environment) {
      return Opening.byUrl(properties, environment);
    }
  }

  /** A snowflake by the application's database. */
  @Configuration(proxyBeanMethods = false)
  @Conditional(UrlProperty.Absent.class)
  static class OfDatabase {
    @Bean(MainSource.STORE)
    @ConditionalOnMissingBean
    JdbcStore snowmintStore(
        SnowmintProperties properties, ObjectProvider<DataSource> sources, BeanFactory beans) {
      return Opening.store(properties, sources, beans);
    }

    @Bean(name = MainSource.OF_DATABASE, destroyMethod = "")
    @ConditionalOnMissingBean
    Snowflake snowflake(SnowmintProperties properties, JdbcStore store) {
      return Opening.byLease(properties, store);
    }

    /** Unless Hibernate is to be ready before scripts that the store waits for. */
    @Bean
    @ConditionalOnClass(name = "jakarta.persistence.EntityManagerFactory")
    @ConditionalOnBean(name = MainSource.STORE)
    @ConditionalOnProperty(
        name = "spring.jpa.defer-datasource-initialization",
        havingValue = "false",
        matchIfMissing = true)
    static StoreBeforeEntities snowmintStoreBeforeEntities() {
      return new StoreBeforeEntities(MainSource.STORE);
    }
  }
}
