-- The life of gift cards: what was asked for, and accounts that have ended.

-- Nothing is booked on an account any more once it is closed: it is empty, and stays so.
alter table account
  add column closed_at timestamptz,
  add constraint closed_account_is_empty check (closed_at is null or (available = 0 and held = 0));

-- A step in a card's life, as it was asked for: what a repetition of its reference is compared with.
create table gift_card_step (
  payee_id uuid not null,
  transaction_ref text not null,
  account_id uuid not null,
  step text not null,
  reason text,
  -- Of a merge: the card that takes the money.
  merged_into uuid,
  happened_at timestamptz not null,

  primary key (payee_id, transaction_ref),
  constraint step_is_of_a_gift_card foreign key (payee_id, account_id) references gift_card,
  constraint step_is_known check (step in ('Block', 'Unblock', 'Void', 'Merge', 'Replace', 'Sweep')),
  constraint merge_names_the_other_card check ((step = 'Merge') = (merged_into is not null))
);
comment on table gift_card_step is 'append-only: what was asked of cards';

create trigger gift_card_step_stays_as_it_is
  before update or delete or truncate on gift_card_step
  for each statement execute function refuse_to_change_the_past();
