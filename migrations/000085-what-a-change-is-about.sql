-- What a person who approves a change decides about. `object_id` names what the operation is about: of a refund the payment or
-- order, of a deposit the card, of a new card its product. Null of changes from before.
alter table pending_change
  add column object_kind text,
  -- Of a merge: the card that takes the money.
  add column into_id text,
  -- Why it is asked for, in the words of the person who asked.
  add column reason text,
  add constraint kind_of_object_is_known check (object_kind in ('payment', 'order', 'gift-card', 'product')) not valid;
