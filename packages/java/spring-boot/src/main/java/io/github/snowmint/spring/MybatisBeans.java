package io.github.snowmint.spring;

import com.baomidou.mybatisplus.core.incrementer.IdentifierGenerator;
import io.github.snowmint.IdSource;
import io.github.snowmint.mybatis.SnowmintIdentifiers;
import io.github.snowmint.mybatis.SnowmintInterceptor;
import org.apache.ibatis.plugin.Interceptor;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnSingleCandidate;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

/** What MyBatis and MyBatis-Plus take from beans, where {@code snowmint-mybatis} is there. */
@Configuration(proxyBeanMethods = false)
@ConditionalOnClass({SnowmintInterceptor.class, Interceptor.class})
@ConditionalOnSingleCandidate(IdSource.class)
class MybatisBeans {
  @Bean
  @ConditionalOnMissingBean
  SnowmintInterceptor snowmintInterceptor(IdSource source) {
    return new SnowmintInterceptor(source);
  }

  /** Of MyBatis-Plus alone. */
  @Configuration(proxyBeanMethods = false)
  @ConditionalOnClass(IdentifierGenerator.class)
  static class Plus {
    @Bean
    @ConditionalOnMissingBean
    IdentifierGenerator snowmintIdentifiers(IdSource source) {
      return new SnowmintIdentifiers(source);
    }
  }
}
