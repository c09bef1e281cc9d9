-- What card payments know of their payers is sealed, and can end before the payment does: as that of orders is, see 000058. It lay in the
-- clear, in `terms` and `card`; the job seal-payers moves what is there. It stands in columns, because it is read with its row.
alter table card_payment
  -- JSON under the envelope of the key ring; null where nothing was said, or once it was erased.
  add column payer_sealed bytea,
  add column payer_sealed_with text collate "C",
  add constraint sealed_payer_names_its_key check ((payer_sealed is null) = (payer_sealed_with is null)) not valid;
