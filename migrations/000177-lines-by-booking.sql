-- no transaction
-- What a batch has booked is summed batch by batch.

drop index concurrently if exists settlement_line_by_booking;
create index concurrently settlement_line_by_booking on settlement_line (payee_id, acquirer, booked_by collate "C")
  where booked_by is not null;
