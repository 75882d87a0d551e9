package shop;

import org.springframework.data.jpa.repository.JpaRepository;

public interface Tickets extends JpaRepository<Ticket, Long> {}
