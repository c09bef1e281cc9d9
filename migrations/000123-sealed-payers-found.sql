-- no transaction
-- By key for rotations, by age for their end, what lies in the clear, and a payer's payments: see 000121 and 000122.

drop index concurrently if exists card_payment_by_payer_key;
create index concurrently card_payment_by_payer_key on card_payment (payer_sealed_with) where payer_sealed_with is not null;

drop index concurrently if exists card_payment_by_payer_age;
create index concurrently card_payment_by_payer_age on card_payment (created_at) where payer_sealed is not null;

drop index concurrently if exists card_payment_with_clear_payer;
create index concurrently card_payment_with_clear_payer on card_payment (payment_id) where terms ? 'cardholder';

drop index concurrently if exists card_payment_by_payer;
create index concurrently card_payment_by_payer on card_payment (payee_id, (payer_reference collate "C"))
  where payer_reference is not null;

drop index concurrently if exists card_transaction_by_holder_key;
create index concurrently card_transaction_by_holder_key on card_transaction (holder_sealed_with)
  where holder_sealed_with is not null;

drop index concurrently if exists card_transaction_by_holder_age;
create index concurrently card_transaction_by_holder_age on card_transaction (created_at) where holder_sealed is not null;

drop index concurrently if exists card_transaction_with_clear_holder;
create index concurrently card_transaction_with_clear_holder on card_transaction (transaction_id)
  where card ? 'cardholderName';

alter table card_payment validate constraint sealed_payer_names_its_key;
alter table card_transaction validate constraint sealed_holder_names_its_key;
