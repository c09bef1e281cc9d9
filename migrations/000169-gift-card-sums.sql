-- What is owed on gift cards and other stored value, kept as sums of each day, so that a question about any instant reads the movements
-- of one day and not all cards. A job closes the days; the movements and their entries stay the proof.

-- How far the sums of a payee reach.
create table gift_card_closing (
  payee_id uuid not null constraint closing_is_of_a_payee references payee,
  -- Where the days of these sums begin. Of a payee that has moved they are made anew.
  time_zone text not null,
  -- The sums have what happened before this. Null: they are being made, and no answer is made of them.
  closed_to timestamptz,
  -- They may come to have what happened before this: whatever writes something earlier has them made anew. Null: that has been done.
  closing_to timestamptz,
  -- When no transaction from before this is under way any more, all that write know `closing_to`. Null: not yet asked for.
  mark xid8,
  -- While they are made: the last entry that they have, in the order of accounts.
  after_account uuid not null default '00000000-0000-0000-0000-000000000000',
  after_sequence bigint not null default 0,

  constraint gift_card_closing_pkey primary key (payee_id),
  constraint closed_is_no_more_than_closing check (closed_to <= closing_to),
  constraint closed_after_a_mark check (closing_to is not null or (closed_to is null and mark is null))
);

-- What changed in a day. Sums of many rows of different instances come in portions, so a row grows until its day is closed.
create table gift_card_sum (
  payee_id uuid not null,
  -- The instant at which the day begins.
  begins_at timestamptz not null,
  -- `owed`, or a figure of what moved.
  figure text collate "C" not null,
  currency text collate "C" not null,
  -- Empty: of accounts that are no gift card.
  product_id text collate "C" not null,
  -- Of what is owed: the months of issue and of expiry; else empty.
  issued text collate "C" not null,
  expiring text collate "C" not null,
  -- Of what is owed: cards with something on them, more or less than before. Else entries or cards that the figure is of.
  parts bigint not null,
  -- Minor units, or cards.
  amount bigint not null,

  constraint gift_card_sum_pkey primary key (payee_id, begins_at, figure, currency, product_id, issued, expiring),
  constraint sum_is_of_a_closing foreign key (payee_id) references gift_card_closing
);

-- Something is written that happened before what the sums may come to have, as after a clock was set back: they are made anew.
create function movements_reopen_gift_card_sums() returns trigger
  language plpgsql
  as $$
  begin
    update gift_card_closing c
    set closed_to = null, closing_to = null, mark = null
    from (select payee_id, min(happened_at) as since from added group by payee_id) a
    where c.payee_id = a.payee_id and c.closing_to > a.since;
    return null;
  end
  $$;

create trigger movement_reopens_gift_card_sums
  after insert on movement
  referencing new table as added
  for each statement execute function movements_reopen_gift_card_sums();
