-- no transaction
-- What acquirers have paid and asked back are few movements among all: `kontor ledger verify` sums them without reading the others.

drop index concurrently if exists movement_of_settlement;
create index concurrently movement_of_settlement on movement (payee_id, movement_id)
  where kind in ('Settlement', 'Dispute', 'Conversion');
