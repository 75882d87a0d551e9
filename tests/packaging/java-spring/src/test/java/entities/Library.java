package entities;

import io.github.snowmint.hibernate.SnowmintSegment;
import io.github.snowmint.hibernate.SnowmintSnowflake;
import jakarta.persistence.Entity;
import jakarta.persistence.Id;
import java.util.List;
import org.springframework.boot.autoconfigure.SpringBootApplication;
import org.springframework.data.jpa.repository.JpaRepository;
import org.springframework.data.jpa.repository.config.EnableJpaRepositories;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.RestController;

/** An application whose entities have identifiers by the starter. */
@SpringBootApplication
@EnableJpaRepositories(considerNestedRepositories = true)
public class Library {
  @Entity(name = "Book")
  public static class Book {
    @Id @SnowmintSnowflake public Long id;
    public String title;
    public long pages;

    public Book() {}

    Book(Long id, String title) {
      this.id = id;
      this.title = title;
    }
  }

  @Entity(name = "Invoice")
  public static class Invoice {
    @Id
    @SnowmintSegment(tag = "invoices")
    public Long id;
  }

  public interface Books extends JpaRepository<Book, Long> {}

  @RestController
  static class Shelf {
    private final Books books;

    Shelf(Books books) {
      this.books = books;
    }

    @GetMapping("/books")
    List<Book> books() {
      return books.findAll();
    }
  }
}
