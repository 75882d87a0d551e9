package io.github.snowmint.spring;

import io.github.snowmint.IdSource;
import io.github.snowmint.Stats;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnProperty;
import org.springframework.boot.actuate.health.Health;
import org.springframework.boot.actuate.health.HealthIndicator;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

/**
 * The health indicator {@code snowmint} of Spring Boot 3. It is down while a source cannot mint.
 */
@Configuration(proxyBeanMethods = false)
@ConditionalOnClass(HealthIndicator.class)
@ConditionalOnBean(IdSource.class)
@ConditionalOnProperty(name = "management.health.snowmint.enabled", matchIfMissing = true)
class HealthOfBoot3 {
  @Bean
  @ConditionalOnMissingBean(name = "snowmintHealthIndicator")
  HealthIndicator snowmintHealthIndicator(Sources sources) {
    return () -> {
      Health.Builder health = Health.up();
      sources
          .all()
          .forEach(
              (name, source) -> {
                Stats stats = source.stats();
                health.withDetail(name, Sources.details(stats));
                if (!Sources.isReady(stats)) {
                  health.down();
                }
              });
      return health.build();
    };
  }
}
