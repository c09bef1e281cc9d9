-- A capture that no line to its acquirer took is kept and forwarded. It is made again from what is stored, by any instance, and must be
-- the same message each time: so what its question said beside the amount is stored with it.

alter table acquirer_exchange
  -- Which capture of its payment it is, and whether nothing is left to capture after it; null of what was never kept.
  add column capture_number integer,
  add column is_last_capture boolean,
  -- What the capture releases of the hold.
  add column released bigint;
