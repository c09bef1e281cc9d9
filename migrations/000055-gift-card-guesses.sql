-- Who enters gift cards on pages, and how often that was wrong: what a limit holds against has to be one number for all
-- instances. No row has a card's number, or an address: digests of them alone.

create table gift_card_guess (
  payee_id uuid not null constraint payee_exists references payee,
  -- What is counted: entries of an order, of an address, of a card by its number, of a payer with a card, of the payee in
  -- parts; and that the payee is under attack.
  kind text not null,
  subject bytea not null,
  -- All entries, right ones too; of a payee those of the present window.
  entries integer not null,
  -- Wrong ones of the present window, and of the present day.
  wrong integer not null,
  window_ends_at timestamptz,
  wrong_of_day integer not null,
  day_ends_at timestamptz,
  -- Nothing is taken or compared until then.
  closed_until timestamptz,
  -- How often a card was closed until then: the second time its payee is told.
  pauses integer not null,
  pauses_end_at timestamptz,
  forget_at timestamptz not null,

  constraint gift_card_guess_pkey primary key (payee_id, kind, subject),
  constraint guess_kind_is_known check (kind in ('order', 'address', 'card', 'payer', 'payee', 'attack')),
  constraint guess_subject_is_a_digest check (octet_length(subject) = 32),
  constraint no_guess_count_is_negative check (least(entries, wrong, wrong_of_day, pauses) >= 0)
)
with (fillfactor = 80);

create index gift_card_guess_by_end on gift_card_guess (forget_at);
