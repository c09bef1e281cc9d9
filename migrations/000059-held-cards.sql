-- Cards whose acquirer wants number and expiry again with what follows a payment. The number is sealed in the vault as any
-- other; this row keeps it from being destroyed until nothing can follow, and for 540 days at most. It has no number of its own.

create table held_card (
  payee_id uuid not null,
  -- The attempt that the payment is made by: written before it, so a row without an attempt is one that was never put.
  attempt_id uuid not null,
  instrument_id uuid not null,
  -- MM/YY; null where the card has none.
  expiry_date text,
  held_at timestamptz not null,
  -- When the job looks next whether anything can follow still.
  due_at timestamptz not null,

  constraint held_card_pkey primary key (payee_id, attempt_id),
  constraint held_card_is_in_the_vault foreign key (payee_id, instrument_id) references instrument,
  constraint expiry_date_is_month_and_year check (expiry_date ~ '^[0-9]{2}/[0-9]{2}$')
);

create index held_card_by_due on held_card (due_at);
-- What nothing may destroy. It does not begin with the payee, or a look-up of a hold could take it for its own index.
create index held_card_by_instrument on held_card (instrument_id);
