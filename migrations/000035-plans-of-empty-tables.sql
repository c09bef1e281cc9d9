-- On an empty table every index that can be used at all costs the same, and a plan that is made then stays until the table
-- is analysed. So a look-up by payee and token took the index by payee and identity in place of the primary key, and read
-- all of the payee's tokens each time: an import into a fresh installation took longer with every line.
-- These indexes no longer begin with the payee, so no look-up of another kind can take them. A digest has the payee in it,
-- a payment's id is unique, and of payers of one reference there are few.
drop index payer_token_by_identity;
create index payer_token_by_identity on payer_token (identity_digest);

drop index payer_token_by_payer;
create index payer_token_by_payer on payer_token (payer_reference, payee_id, created_at desc, token desc)
  where state <> 'Deleted';

drop index card_transaction_by_payment;
create index card_transaction_by_payment on card_transaction (payment_id, number);
