package io.github.snowmint.hibernate;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.snowmint.IdSource;
import io.github.snowmint.testing.DatabaseServer;
import jakarta.persistence.Entity;
import jakarta.persistence.GeneratedValue;
import jakarta.persistence.GenerationType;
import jakarta.persistence.Id;
import jakarta.persistence.SequenceGenerator;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.stream.LongStream;
import org.hibernate.SessionFactory;
import org.hibernate.cfg.AvailableSettings;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Hibernate's own optimizers and a source of this library on one sequence. */
class SequencesTest {
  private static DatabaseServer server;

  @BeforeAll
  static void start() throws Exception {
    server = DatabaseServer.postgres();
  }

  @AfterAll
  static void stop() throws Exception {
    server.close();
  }

  @Entity(name = "Parcel")
  static class Parcel {
    @Id
    @GeneratedValue(strategy = GenerationType.SEQUENCE, generator = "parcels")
    @SequenceGenerator(name = "parcels", sequenceName = "parcels", allocationSize = 10)
    Long id;
  }

  private static SessionFactory sessions(String optimizer, String tables) {
    Map<String, String> settings =
        Map.of(
            AvailableSettings.PREFERRED_POOLED_OPTIMIZER, optimizer,
            AvailableSettings.HBM2DDL_AUTO, tables);
    return Sessions.of(server, settings, Parcel.class);
  }

  private static List<Long> persist(SessionFactory sessions, int count) {
    return sessions.fromTransaction(
        session -> {
          List<Long> ids = new ArrayList<>();
          for (int n = 0; n < count; n++) {
            Parcel parcel = new Parcel();
            session.persist(parcel);
            ids.add(parcel.id);
          }
          return ids;
        });
  }

  @ParameterizedTest
  @CsvSource({"pooled, sequence", "pooled-lo, sequence-lo"})
  void hibernateAndOursNeverMeet(String optimizer, String dialect) {
    String url = server.sourceUrl("postgres") + "&tag=parcels&dialect=" + dialect;
    List<Long> theirs = new ArrayList<>();
    List<Long> ours = new ArrayList<>();
    try (SessionFactory one = sessions(optimizer, "create");
        SessionFactory two = sessions(optimizer, "none");
        IdSource source = IdSource.open("segment+" + url)) {
      for (int round = 0; round < 40; round++) {
        theirs.addAll(persist(one, 7));
        LongStream.of(source.nextIds(13)).forEach(ours::add);
        theirs.addAll(persist(two, 3));
      }
    }
    // They took turns, of one sequence.
    assertTrue(Collections.min(ours) < Collections.max(theirs));
    assertTrue(Collections.min(theirs) < Collections.max(ours));
    HashSet<Long> all = new HashSet<>(theirs);
    all.addAll(ours);
    assertEquals(theirs.size() + ours.size(), all.size());
  }
}
