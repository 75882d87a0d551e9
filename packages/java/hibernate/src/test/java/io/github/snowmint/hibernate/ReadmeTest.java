package io.github.snowmint.hibernate;

import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.snowmint.PublicIdKeys;
import io.github.snowmint.testing.DatabaseServer;
import io.github.snowmint.testing.Readme;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermission;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The lines of README.md, run. */
class ReadmeTest {
  private static final String EXAMPLE =
      """
      import io.github.snowmint.PublicIdKeys;
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
              .addAnnotatedClass(PublicOrder.class)
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
            PublicOrder made = new PublicOrder();
            sessions.inTransaction(session -> session.persist(made));
            String publicId = OrderIds.KEYS.publicIds("order").encode(made.id);
            sessions.inTransaction(session -> System.out.println("order " + session
                .createSelectionQuery(
                    "from PublicOrder where publicId = :publicId", PublicOrder.class)
                .setParameter("publicId", publicId)
                .getSingleResult().id));
          }
        }
      }
      """;

  private static final Set<PosixFilePermission> OWNER_ONLY =
      PosixFilePermissions.fromString("rw-------");

  @TempDir Path directory;

  @Test
  void itsLinesRun() throws Exception {
    Sessions.quiet();
    List<String> java = Readme.blocks("java");
    try (DatabaseServer server = DatabaseServer.postgres()) {
      // The lines name a file of the directory that they run in.
      Path keys = directory.resolve("keys.toml");
      Files.createFile(keys, PosixFilePermissions.asFileAttribute(OWNER_ONLY));
      Files.writeString(keys, PublicIdKeys.generate().toToml());
      String classes = java.get(0) + java.get(2).replace("keys.toml", keys.toString());
      String source = EXAMPLE.formatted(classes, server.url("postgres"), java.get(1));
      String said = Readme.run(source, directory);
      assertTrue(
          said.matches(
              "customer \\d+\\Rinvoice 1, ticket [0-9A-HJKMNP-TV-Z]{13}\\Rorder 1\\R"),
          said);
    }
  }
}
