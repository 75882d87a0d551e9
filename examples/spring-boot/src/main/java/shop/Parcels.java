package shop;

import org.springframework.data.jpa.repository.JpaRepository;

public interface Parcels extends JpaRepository<Parcel, Long> {}
