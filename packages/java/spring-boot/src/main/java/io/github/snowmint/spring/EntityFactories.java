package io.github.snowmint.spring;

import io.github.snowmint.hibernate.ApplicationSources;
import java.util.Map;
import org.springframework.beans.factory.config.BeanPostProcessor;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.core.env.Environment;
import org.springframework.orm.jpa.AbstractEntityManagerFactoryBean;

/** Gives the {@link EntitySources} to each {@code EntityManagerFactory}, whoever defines it. */
@Configuration(proxyBeanMethods = false)
@ConditionalOnClass(AbstractEntityManagerFactoryBean.class)
class EntityFactories {
  @Bean
  static BeanPostProcessor snowmintEntityFactories(
      ConfigurableListableBeanFactory beans, Environment environment) {
    return new Settings(
        beans,
        environment.getProperty(
            "spring.jpa.defer-datasource-initialization", Boolean.class, false));
  }

  /**
   * Sets the Hibernate settings of each factory.
   *
   * @param beans the beans
   * @param isLazy true if the store waits for scripts that wait for the factory
   */
  private record Settings(ConfigurableListableBeanFactory beans, boolean isLazy)
      implements BeanPostProcessor {
    @Override
    public Object postProcessBeforeInitialization(Object bean, String name) {
      if (bean instanceof AbstractEntityManagerFactoryBean factory) {
        Map<String, Object> settings = factory.getJpaPropertyMap();
        settings.putIfAbsent(
            ApplicationSources.SETTING, new EntitySources(beans, factory, name));
        if (isLazy) {
          settings.putIfAbsent(ApplicationSources.LAZY, true);
        }
      }
      return bean;
    }
  }
}
