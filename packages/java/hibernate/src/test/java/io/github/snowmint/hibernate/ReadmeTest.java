package io.github.snowmint.hibernate;

import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.snowmint.testing.DatabaseServer;
import io.github.snowmint.testing.Readme;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The lines of README.md, run. */
class ReadmeTest {
  private static final String EXAMPLE =
      """
      import io.github.snowmint.TextForm;
      import io.github.snowmint.hibernate.*;
      import jakarta.persistence.*;
      import org.hibernate.SessionFactory;
      import org.hibernate.cfg.Configuration;

      %s

      public class Example {
        public static void main(String[] arguments) throws Exception {
          Configuration configuration = new Configuration()
              .addAnnotatedClass(Customer.class)
              .addAnnotatedClass(Invoice.class)
              .addAnnotatedClass(Ticket.class)
              .setProperty("hibernate.connection.url", "%s")
              .setProperty("hibernate.hbm2ddl.auto", "create");
          try (SessionFactory sessions = configuration.buildSessionFactory()) {
            %s
            sessions.inTransaction(session -> {
              Invoice invoice = new Invoice();
              session.persist(invoice);
              Ticket ticket = new Ticket();
              session.persist(ticket);
              System.out.println("invoice " + invoice.id + ", ticket " + ticket.id);
            });
          }
        }
      }
      """;

  @TempDir Path directory;

  @Test
  void itsLinesRun() throws Exception {
    Sessions.quiet();
    List<String> java = Readme.blocks("java");
    try (DatabaseServer server = DatabaseServer.postgres()) {
      String source = EXAMPLE.formatted(java.get(0), server.url("postgres"), java.get(1));
      String said = Readme.run(source, directory);
      assertTrue(
          said.matches("customer \\d+\\Rinvoice 1, ticket [0-9A-HJKMNP-TV-Z]{13}\\R"), said);
    }
  }
}
