-- no transaction
-- Where and with what a payer paid, and what the payee noted about it, end: by age, of what has not ended yet. What is ended leaves these.

drop index concurrently if exists payment_with_circumstances;
create index concurrently payment_with_circumstances on payment (created_at)
  where echo -> 'circumstances' ?| array['userAgent', 'payerAddress'];

drop index concurrently if exists payment_transaction_with_circumstances;
create index concurrently payment_transaction_with_circumstances on payment_transaction (created_at)
  where echo -> 'circumstances' ?| array['userAgent', 'payerAddress'];

drop index concurrently if exists card_payment_with_circumstances;
create index concurrently card_payment_with_circumstances on card_payment (created_at)
  where terms ?| array['userAgent', 'initiatingSystemUserAgent'] or terms -> 'metadata' <> '{}';

drop index concurrently if exists payment_order_with_circumstances;
create index concurrently payment_order_with_circumstances on payment_order (created_at)
  where terms ?| array['userAgent', 'initiatingSystemUserAgent'] or terms -> 'metadata' <> '{}';
