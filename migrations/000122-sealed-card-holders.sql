-- The name on the card, as its payer or the payee has typed it: see 000121.
alter table card_transaction
  -- JSON under the envelope of the key ring; null where none was given, or once it was erased.
  add column holder_sealed bytea,
  add column holder_sealed_with text collate "C",
  add constraint sealed_holder_names_its_key check ((holder_sealed is null) = (holder_sealed_with is null)) not valid;
