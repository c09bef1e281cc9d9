-- What a payee has said of who pays an order: names, addresses, telephone numbers. It has a table of its own, so that it can go
-- before the order does.

create table order_payer (
  payee_id uuid not null,
  order_id uuid not null,
  -- JSON under the envelope of the key ring; null once it was erased.
  sealed bytea,
  sealed_with text,
  created_at timestamptz not null,

  constraint order_payer_pkey primary key (payee_id, order_id),
  constraint order_of_payer_exists foreign key (payee_id, order_id) references payment_order,
  constraint sealed_payer_names_its_key check ((sealed is null) = (sealed_with is null))
);

create index order_payer_by_key on order_payer (sealed_with) where sealed_with is not null;
create index order_payer_by_age on order_payer (created_at) where sealed is not null;
create index payment_order_by_payer on payment_order (payee_id, payer_reference) where payer_reference is not null;
