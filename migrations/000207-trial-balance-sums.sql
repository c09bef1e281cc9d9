-- What was booked on each side of the ledger, kept as sums of each day, so that a trial balance of any days reads what was booked since the
-- last hour and not all movements. A job closes the hours; the movements and their entries stay the proof.

-- How far the sums of a payee reach.
create table trial_balance_closing (
  payee_id uuid not null constraint trial_balance_is_of_a_payee references payee,
  -- Where the days of these sums begin. Of a payee that has moved they are made anew.
  time_zone text not null,
  -- The sums have what happened before this. Null: they are being made, and no answer is made of them.
  closed_to timestamptz,
  -- They may come to have what happened before this: whatever writes something earlier has them made anew. Null: that has been done.
  closing_to timestamptz,
  -- When no transaction from before this is under way any more, all that write know `closing_to`. Null: not yet asked for.
  mark xid8,
  -- While they are made: the last movement that they have.
  after_movement uuid not null default '00000000-0000-0000-0000-000000000000',

  constraint trial_balance_closing_pkey primary key (payee_id),
  constraint closed_is_no_more_than_closing check (closed_to <= closing_to),
  constraint closed_after_a_mark check (closing_to is not null or (closed_to is null and mark is null))
);

-- What was booked in a day. Sums come in portions, so a row grows until its day is closed.
create table trial_balance_sum (
  payee_id uuid not null,
  -- The instant at which the day begins.
  begins_at timestamptz not null,
  side text collate "C" not null,
  currency text collate "C" not null,
  -- Booked on an account with stored value: of no agreement.
  is_stored_value boolean not null,
  -- Empty where it cannot be told, and of stored value.
  agreement text collate "C" not null,
  -- Empty: of no gift card.
  product_id text collate "C" not null,
  -- What a business day has as a sale or refund.
  is_item boolean not null,
  -- Minor units, both above zero.
  debit bigint not null,
  credit bigint not null,

  constraint trial_balance_sum_pkey
    primary key (payee_id, begins_at, side, currency, is_stored_value, agreement, product_id, is_item),
  constraint trial_balance_sum_is_of_a_closing foreign key (payee_id) references trial_balance_closing
);

-- Something is written that happened before what the sums may come to have, as after a clock was set back: they are made anew.
create function movements_reopen_trial_balances() returns trigger
  language plpgsql
  as $$
  begin
    update trial_balance_closing c
    set closed_to = null, closing_to = null, mark = null
    from (select payee_id, min(happened_at) as since from added group by payee_id) a
    where c.payee_id = a.payee_id and c.closing_to > a.since;
    return null;
  end
  $$;

create trigger movement_reopens_trial_balance
  after insert on movement
  referencing new table as added
  for each statement execute function movements_reopen_trial_balances();
