package io.github.snowmint.spring;

import io.github.snowmint.IdSource;
import java.util.Map;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBean;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

/** The bean of all sources, including the application's own. */
@Configuration(proxyBeanMethods = false)
@ConditionalOnBean(IdSource.class)
class AllSources {
  @Bean
  Sources snowmintSources(Map<String, IdSource> beans, OpenedSources opened) {
    return new Sources(beans, opened);
  }
}
