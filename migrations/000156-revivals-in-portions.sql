-- no transaction
-- Deliveries of a webhook that takes them again are put back in line some at a time, in their order; until all are, none is taken.

alter table webhook
  -- Those after this position are still to be put back; null: none is.
  add column if not exists reviving_after bigint,
  -- Of what was given up, only what was tried first after this.
  add column if not exists reviving_since timestamptz;
alter table webhook drop constraint if exists revival_has_a_place_and_a_time;
alter table webhook add constraint revival_has_a_place_and_a_time
  check ((reviving_after is null) = (reviving_since is null)) not valid;
alter table webhook validate constraint revival_has_a_place_and_a_time;

-- What a webhook has not taken, oldest first: the probe of a suspended one, what is put back in line, and how long the oldest has waited.
drop index concurrently if exists delivery_undelivered;
create index concurrently delivery_undelivered on delivery (payee_id, webhook_id, position) where state <> 'Delivered';
