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
 * Adds the module of the other Jackson version, if {@code snowmint-jackson} and both versions are
 * present and the application has a bean for one of them. So no raw ID appears, whichever version
 * writes the JSON. {@code snowmint.enabled=false} concerns sources, and does not leave this out.
 */
@AutoConfiguration
@ConditionalOnClass({PublicIdModule.class, Module.class, JacksonModule.class})
class PublicIdBeans {
  /** The module for Jackson 3, with which Spring Boot 4 writes JSON. */
  @Configuration(proxyBeanMethods = false)
  @ConditionalOnBean(PublicIdModule.class)
  static class ForJackson3 {
    @Bean
    @ConditionalOnMissingBean
    PublicIdJacksonModule snowmintPublicIdJacksonModule(PublicIdModule module) {
      return new PublicIdJacksonModule(module.keys());
    }
  }

  /**
   * The module for Jackson 2, with which Spring Boot 3 writes JSON, and 4 where that is preferred.
   */
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
