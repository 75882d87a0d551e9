package io.github.snowmint.spring;

import io.github.snowmint.IdSource;
import io.github.snowmint.Stats;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.TimeGauge;
import io.micrometer.core.instrument.binder.MeterBinder;
import java.util.OptionalLong;
import java.util.concurrent.TimeUnit;
import java.util.function.ToDoubleFunction;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

/** Meters on {@code stats()}, with the same names as those of the ID service. */
@Configuration(proxyBeanMethods = false)
@ConditionalOnClass(MeterBinder.class)
@ConditionalOnBean(IdSource.class)
class SnowmintMeters {
  @Bean
  @ConditionalOnMissingBean(name = "snowmintMeterBinder")
  MeterBinder snowmintMeterBinder(Sources sources) {
    return registry -> sources.watch((name, source) -> bind(registry, name, source));
  }

  private static void bind(MeterRegistry registry, String name, IdSource source) {
    gauge("ready", source, stats -> Sources.isReady(stats) ? 1 : 0)
        .description("Whether the source is ready: 1 or 0.")
        .tag("source", name)
        .register(registry);
    gauge("store.up", source, stats -> Sources.isFailing(stats) ? 0 : 1)
        .description("Whether the store answered last: 1 or 0.")
        .tag("source", name)
        .register(registry);
    gauge("fenced", source, stats -> Sources.isFenced(stats) ? 1 : 0)
        .description("Whether it waits for an operator: 1 or 0.")
        .tag("source", name)
        .register(registry);
    gauge("failure.code", source, Sources::failureCode)
        .description("The number of the code of what is wrong with its store, or 0.")
        .tag("source", name)
        .register(registry);
    ToDoubleFunction<IdSource> runway = of -> number(of.stats().runwayMs());
    TimeGauge.builder("snowmint.source.runway", source, TimeUnit.MILLISECONDS, runway)
        .description("How long it lasts without its store.")
        .tag("source", name)
        .register(registry);
    if (source.stats().workerId().isEmpty()) {
      gauge("at.hand", source, Sources::atHand)
          .description("Numbers at hand.")
          .tag("source", name)
          .register(registry);
      Gauge.builder("snowmint.tag.next", source, of -> Sources.tagNext(of.stats()))
          .description("The tag's next number after the last range that was reserved here.")
          .tag("source", name)
          .register(registry);
      return;
    }
    TimeGauge.builder(
            "snowmint.source.reserve",
            source,
            TimeUnit.MILLISECONDS,
            of -> number(of.stats().reserveMs()))
        .description("How much time a renewal of its lease reserves.")
        .tag("source", name)
        .register(registry);
    gauge("worker.id", source, stats -> number(stats.workerId()))
        .description("The worker ID that IDs are minted under.")
        .tag("source", name)
        .register(registry);
    ToDoubleFunction<IdSource> offset = of -> number(of.stats().clockOffsetMs());
    TimeGauge.builder("snowmint.source.clock.offset", source, TimeUnit.MILLISECONDS, offset)
        .description("How far the clock is off from the store's.")
        .tag("source", name)
        .register(registry);
  }

  private static Gauge.Builder<IdSource> gauge(
      String name, IdSource source, ToDoubleFunction<Stats> fact) {
    return Gauge.builder(
        "snowmint.source." + name, source, of -> fact.applyAsDouble(of.stats()));
  }

  private static double number(OptionalLong known) {
    return known.isPresent() ? known.getAsLong() : Double.NaN;
  }
}
