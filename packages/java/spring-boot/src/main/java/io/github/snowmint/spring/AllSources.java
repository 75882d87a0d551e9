package io.github.snowmint.spring;

import io.github.snowmint.IdSource;
import java.util.Map;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBean;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Lazy;

/** What knows all sources, the application's own among them. */
@Configuration(proxyBeanMethods = false)
@ConditionalOnBean(IdSource.class)
class AllSources {
  /** Not lazy: nobody asks for what closes the sources. */
  @Bean
  @Lazy(false)
  Sources snowmintSources(Map<String, IdSource> sources, SnowmintProperties properties) {
    return new Sources(sources, properties.closeWithin());
  }
}
