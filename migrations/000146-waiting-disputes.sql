-- no transaction
-- Accepting a dispute may wait for a second person.

alter table pending_change
  drop constraint if exists kind_of_object_is_known,
  add constraint kind_of_object_is_known
    check (object_kind in ('payment', 'order', 'gift-card', 'product', 'difference', 'batch', 'dispute')) not valid;
alter table pending_change validate constraint kind_of_object_is_known;
