-- Gift cards: what they are sold as, each card beside its account, and what they need of the ledger. What a card holds is
-- on its account; here is what spending does not ask for.

-- What a card is sold as: decides its currency, its number, its expiry and its limits. A card keeps what its product said
-- when it was made.
create table gift_card_product (
  payee_id uuid not null references payee,
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

  primary key (payee_id, product_id),
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

  primary key (payee_id, account_id),
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

-- The ids of deposits as clients of gift cards see them: whole numbers that a double holds. Some are never used.
create sequence payment_number_sequence maxvalue 9007199254740991;

-- What stands behind such a number.
create table payment_number (
  payee_id uuid not null,
  number bigint not null,
  payment_id uuid not null,

  primary key (payee_id, number),
  constraint payment_has_one_number unique (payee_id, payment_id),
  constraint payment_exists foreign key (payee_id, payment_id) references payment,
  constraint number_is_positive check (number > 0)
);

-- A command may take several references. payment: an account payment's. nonce: of a signed request without a reference of
-- its own. new-gift-card: an Idempotency-Key of that endpoint. pre-deposit: the payee's reference there. gift-card: of a
-- change in a card's life.
alter table reference
  alter column payment_id drop not null,
  drop constraint scope_is_known,
  drop constraint reference_is_well_formed,
  add constraint scope_is_known check (scope in ('payment', 'nonce', 'new-gift-card', 'pre-deposit', 'gift-card')),
  add constraint reference_is_well_formed check (
    case when scope in ('payment', 'pre-deposit', 'gift-card') then reference ~ '^[A-Za-z0-9._-]{1,64}$'
      else reference ~ '^[!-~]{1,129}$' end
  ),
  -- The others stand for a payment.
  add constraint nonce_and_change_stand_for_no_payment check ((scope in ('nonce', 'gift-card')) = (payment_id is null));
