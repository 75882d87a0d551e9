package io.github.snowmint.spring;

import com.baomidou.mybatisplus.core.incrementer.IdentifierGenerator;
import io.github.snowmint.IdSource;
import io.github.snowmint.mybatis.SnowmintIdentifiers;
import io.github.snowmint.mybatis.SnowmintInterceptor;
import org.apache.ibatis.plugin.Interceptor;
import org.springframework.beans.factory.ListableBeanFactory;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

/**
 * The beans for MyBatis and MyBatis-Plus, where {@code snowmint-mybatis} is present. Of several
 * sources they use the {@link MainSource}, because MyBatis-Plus without a bean mints by itself.
 */
@Configuration(proxyBeanMethods = false)
@ConditionalOnClass({SnowmintInterceptor.class, Interceptor.class})
@ConditionalOnBean(IdSource.class)
class MybatisBeans {
  @Bean
  @ConditionalOnMissingBean
  SnowmintInterceptor snowmintInterceptor(ListableBeanFactory beans) {
    return new SnowmintInterceptor(MainSource.of(beans));
  }

  /** The bean for MyBatis-Plus alone. */
  @Configuration(proxyBeanMethods = false)
  @ConditionalOnClass(IdentifierGenerator.class)
  static class Plus {
    @Bean
    @ConditionalOnMissingBean
    IdentifierGenerator snowmintIdentifiers(ListableBeanFactory beans) {
      return new SnowmintIdentifiers(MainSource.of(beans));
    }
  }
}
