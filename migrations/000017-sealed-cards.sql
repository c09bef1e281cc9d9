-- Cards that a payment has sealed: for the tokens that it may make, or while its payer authenticates. The request that
-- seals one destroys it again where nothing needs it in the end. Where it dies before, this is how the card is found.
create table sealed_card (
  payee_id uuid not null,
  instrument_id uuid not null,
  -- The last time that a payment has sealed it.
  sealed_at timestamptz not null,

  primary key (payee_id, instrument_id),
  constraint sealed_card_is_an_instrument foreign key (payee_id, instrument_id) references instrument on delete cascade
);

create index sealed_card_by_time on sealed_card (sealed_at);

-- Whether a payment still needs a sealed card.
create index card_transaction_by_instrument on card_transaction (payee_id, instrument_id) where instrument_id is not null;

-- What was left behind until now.
insert into sealed_card (payee_id, instrument_id, sealed_at)
select payee_id, instrument_id, kontor_now()
from instrument i
where not exists (select from payer_token where payee_id = i.payee_id and instrument_id = i.instrument_id);
