package io.github.snowmint.spring;

import com.fasterxml.jackson.databind.Module;
import io.github.snowmint.jackson.PublicIdJacksonModule;
import io.github.snowmint.jackson.PublicIdModule;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import tools.jackson.databind.JacksonModule;

/**
 * The other module where {@code snowmint-jackson} and both versions of Jackson are there and the
 * application has a bean for one: whichever writes the JSON, no raw ID is in it. With
 * {@code snowmint.enabled=false}, too, which is about sources.
 */
@AutoConfiguration
@ConditionalOnClass({PublicIdModule.class, Module.class, JacksonModule.class})
class PublicIdBeans {
  /** As Spring Boot 4 writes JSON. */
  @Configuration(proxyBeanMethods = false)
  @ConditionalOnBean(PublicIdModule.class)
  static class ForJackson3 {
    @Bean
    @ConditionalOnMissingBean
    PublicIdJacksonModule snowmintPublicIdJacksonModule(PublicIdModule module) {
      return new PublicIdJacksonModule(module.keys());
    }
  }

  /** As Spring Boot 3 does, and 4 where that is preferred. */
  @Configuration(proxyBeanMethods = false)
  @ConditionalOnBean(PublicIdJacksonModule.class)
  static class ForJackson2 {
    @Bean
    @ConditionalOnMissingBean
    PublicIdModule snowmintPublicIdModule(PublicIdJacksonModule module) {
      return new PublicIdModule(module.keys());
    }
  }
}
