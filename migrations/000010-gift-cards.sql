-- Gift cards: what they are sold as, each card beside its account, and the steps of its life. What a card holds
-- is on its account; here is what spending does not ask for.

-- What a card is sold as: decides its currency, its number, its expiry and its limits. A card keeps what its product said
-- when it was made.
create table gift_card_product (
  payee_id uuid not null constraint payee_exists references payee,
  -- Named by whoever creates it.
  product_id text not null,
  name text not null,
  currency text not null,
  -- First digits of its cards' numbers.
  number_prefix text not null,
  number_length smallint not null,
  -- Full months after the one in which a card is made.
  validity_months smallint not null,
  -- Of one issue or deposit. Minor units, as the next two; 0 is always allowed.
  smallest_amount bigint not null,
  largest_amount bigint not null,
  -- What a card may hold.
  largest_balance bigint not null,
  -- What its cards can be spent on. Empty: anything.
  allowed_product_ids text[] not null default '{}',
  -- Whether a cvc is needed to spend and to ask for the balance.
  cvc_required boolean not null default false,
  -- Taken where a request names no product.
  is_default boolean not null default false,
  -- No new cards; those that exist stay good.
  retired_at timestamptz,
  created_at timestamptz not null default kontor_now(),

  constraint gift_card_product_pkey primary key (payee_id, product_id),
  constraint product_id_is_well_formed check (product_id ~ '^[A-Za-z0-9._-]{1,64}$'),
  constraint name_is_not_empty check (name <> ''),
  constraint prefix_is_four_to_eight_digits check (number_prefix ~ '^[0-9]{4,8}$'),
  constraint number_has_16_to_19_digits check (number_length between 16 and 19),
  -- Ten random ones and the check digit beside the prefix.
  constraint number_leaves_enough_digits_to_chance check (number_length - length(number_prefix) >= 11),
  constraint validity_is_1_to_120_months check (validity_months between 1 and 120),
  constraint amounts_are_in_order check (
    smallest_amount >= 1 and largest_amount >= smallest_amount and largest_balance >= largest_amount
      and largest_balance <= 999999999999
  ),
  constraint retired_product_is_no_default check (retired_at is null or not is_default)
);

create unique index payee_has_one_default_gift_card_product on gift_card_product (payee_id) where is_default;

-- A gift card: the part of it that spending does not need. Its account has the money, the expiry and the block.
create table gift_card (
  payee_id uuid not null,
  account_id uuid not null,
  product_id text not null,
  -- The number, so that a repeated request is shown it again for a day, and a lost card can be replaced; and whose it is,
  -- where somebody said so. Each with a data key of its own, wrapped by the key that the next column names.
  number_sealed bytea not null,
  email_sealed bytea,
  msisdn_sealed bytea,
  sealed_with text not null,
  issued_at timestamptz not null,
  -- Ends of a card, each for good. One at most.
  voided_at timestamptz,
  merged_at timestamptz,
  merged_into uuid,
  replaced_at timestamptz,
  replaced_by uuid,
  swept_at timestamptz,
  -- Number of its latest event; raised by every change, and guards it.
  event_sequence bigint not null,

  constraint gift_card_pkey primary key (payee_id, account_id),
  constraint gift_card_is_an_account foreign key (payee_id, account_id) references account,
  constraint gift_card_is_of_a_product foreign key (payee_id, product_id) references gift_card_product,
  constraint merged_into_a_gift_card foreign key (payee_id, merged_into) references gift_card,
  constraint replaced_by_a_gift_card foreign key (payee_id, replaced_by) references gift_card,
  constraint merge_says_into_which check ((merged_at is null) = (merged_into is null)),
  constraint replacement_says_by_which check ((replaced_at is null) = (replaced_by is null)),
  constraint card_ends_once check (num_nonnulls(voided_at, merged_at, replaced_at, swept_at) <= 1),
  constraint event_sequence_is_positive check (event_sequence > 0)
)
with (fillfactor = 90);

-- A rotation finds and counts the rows that use the old key.
create index gift_card_by_key on gift_card (sealed_with);

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

  constraint gift_card_step_pkey primary key (payee_id, transaction_ref),
  constraint step_is_of_a_gift_card foreign key (payee_id, account_id) references gift_card,
  constraint step_is_known check (step in ('Block', 'Unblock', 'Void', 'Merge', 'Replace', 'Sweep')),
  constraint merge_names_the_other_card check ((step = 'Merge') = (merged_into is not null))
);
comment on table gift_card_step is 'append-only: what was asked of cards';

create trigger gift_card_step_stays_as_it_is
  before update or delete or truncate on gift_card_step
  for each statement execute function refuse_to_change_the_past();
