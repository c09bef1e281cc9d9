-- What may be put on gift cards of a product, and spent with them, in a day and in a month: rules against money laundering.

create table gift_card_limit (
  payee_id uuid not null,
  product_id text collate "C" not null,
  -- Value that comes to cards, or leaves them for payments.
  flow text collate "C" not null,
  -- Of all cards of the product together, of each card, or of each payer by its reference.
  scope text collate "C" not null,
  -- Days and months are the payee's.
  period text collate "C" not null,
  -- Minor units. Null: it was taken away; the row keeps its id and counts its events.
  amount bigint,
  -- Names it in events.
  limit_id uuid not null,
  event_sequence bigint not null default 0,

  constraint gift_card_limit_pkey primary key (payee_id, product_id, flow, scope, period),
  constraint limit_is_of_a_product foreign key (payee_id, product_id) references gift_card_product,
  constraint flow_is_known check (flow in ('Loaded', 'Spent')),
  constraint scope_is_known check (scope in ('Product', 'Card', 'Payer')),
  constraint period_is_known check (period in ('Day', 'Month')),
  constraint limit_is_above_0 check (amount between 1 and 999999999999),
  constraint event_sequence_is_not_negative check (event_sequence >= 0)
);

-- What counts against these limits: kept up in the batch that moves the money, under the lock of its row. There is one for each
-- product, card and payer that was limited since.
create table gift_card_turnover (
  payee_id uuid not null,
  product_id text collate "C" not null,
  scope text collate "C" not null,
  -- Empty for a product; the account of a card; the reference of a payer.
  subject text collate "C" not null,
  -- When the day and the month have begun that the sums are of.
  day_began_at timestamptz not null default '-infinity',
  month_began_at timestamptz not null default '-infinity',
  loaded_of_day bigint not null default 0,
  loaded_of_month bigint not null default 0,
  spent_of_day bigint not null default 0,
  spent_of_month bigint not null default 0,
  version bigint not null default 0,

  constraint gift_card_turnover_pkey primary key (payee_id, product_id, scope, subject),
  constraint turnover_is_of_a_product foreign key (payee_id, product_id) references gift_card_product,
  constraint scope_is_known check (scope in ('Product', 'Card', 'Payer')),
  constraint sums_are_not_negative
    check (loaded_of_day >= 0 and loaded_of_month >= 0 and spent_of_day >= 0 and spent_of_month >= 0)
)
-- Each payment with a limited card changes its rows: they stay on their pages.
with (fillfactor = 70);

-- Who has bought the card, by the payee's own reference of that payer; null where the payee has not said.
alter table gift_card add column payer_reference text collate "C";
