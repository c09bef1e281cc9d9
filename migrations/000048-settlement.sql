-- What acquirers owe payees and what they have paid: business days, what belongs to them, the acquirers' files, and what
-- differs. The acquirer pays the payee; no money is moved from here.

-- Sales and refunds that were answered, in the order of their answers: what a day is made of.
create index exchange_to_settle on acquirer_exchange (acquirer, answered_at)
  where answered_at is not null and operation in ('Purchase', 'Capture', 'Reversal', 'Credit');

-- What was ended by hand: each becomes a difference.
create index exchange_abandoned on acquirer_exchange (payee_id) where state = 'Abandoned';

-- One business day of one agreement in one currency.
create table settlement_day (
  payee_id uuid not null constraint payee_exists references payee,
  settlement_id uuid not null,
  acquirer text not null,
  agreement text not null,
  merchant_id text not null,
  currency text not null,
  day date not null,
  state text not null,
  -- Ours, as they are told to the acquirer. Minor units. What was taken back counts on both sides.
  sales_number bigint not null,
  sales_amount bigint not null,
  sale_reversals_number bigint not null,
  sale_reversals_amount bigint not null,
  refunds_number bigint not null,
  refunds_amount bigint not null,
  refund_reversals_number bigint not null,
  refund_reversals_amount bigint not null,
  -- What the acquirer owes for it.
  net bigint not null,
  -- The acquirer's totals by the same names, where it has told others.
  acquirer_totals jsonb,
  -- The message that tells the totals, as it is repeated until it is answered: null before it was named.
  stan text,
  sent_at timestamptz,
  tries integer not null default 0,
  -- When it is told next; null where nothing is to be told any more.
  due_at timestamptz,
  answered_at timestamptz,
  closed_at timestamptz not null,
  -- When it was looked for what the acquirer's files lack.
  searched_at timestamptz,
  updated_at timestamptz not null,
  event_sequence bigint not null,

  constraint settlement_day_pkey primary key (payee_id, settlement_id),
  constraint day_is_closed_once unique (payee_id, agreement, currency, day),
  constraint settlement_state_is_known check (state in ('Closed', 'Reconciled', 'Different', 'Settled')),
  constraint totals_not_negative check (
    least(sales_number, sales_amount, sale_reversals_number, sale_reversals_amount, refunds_number, refunds_amount,
      refund_reversals_number, refund_reversals_amount) >= 0
  ),
  constraint net_follows_from_the_totals
    check (net = sales_amount - sale_reversals_amount - refunds_amount + refund_reversals_amount),
  constraint acquirer_totals_are_an_object check (jsonb_typeof(acquirer_totals) = 'object'),
  constraint message_is_named_whole check ((stan is null) = (sent_at is null)),
  constraint only_a_closed_day_is_told check (due_at is null or state = 'Closed'),
  constraint updated_not_before_closed check (updated_at >= closed_at)
);

create index settlement_day_by_due on settlement_day (due_at) where due_at is not null;
create index settlement_day_to_search on settlement_day (closed_at) where searched_at is null;
-- A payee's days, the latest first.
create index settlement_day_by_day on settlement_day (payee_id, day desc, settlement_id);

-- A sale or refund that an acquirer has to settle, or the taking back of one. It belongs to one day for ever.
create table settlement_item (
  payee_id uuid not null,
  attempt_id uuid not null,
  type text not null,
  acquirer text not null,
  agreement text not null,
  merchant_id text not null,
  currency text not null,
  -- Minor units with their sign: below 0 for a refund. Of what was taken back, of what it was.
  amount bigint not null,
  day date not null,
  payment_id uuid not null,
  -- What the ledger has booked it under; null where that is the payment itself.
  transaction_id uuid,
  retrieval_reference text not null,
  acquirer_reference text,
  -- The line of a file that settles it.
  batch_id text,
  line_id text,

  constraint settlement_item_pkey primary key (payee_id, attempt_id, type),
  constraint item_type_is_known check (type in ('Sale', 'Refund', 'SaleReversal', 'RefundReversal')),
  constraint item_has_the_sign_of_its_type check ((amount >= 0) = (type in ('Sale', 'SaleReversal'))),
  constraint line_is_named_whole check ((batch_id is null) = (line_id is null)),
  constraint only_what_stands_is_settled check (batch_id is null or type in ('Sale', 'Refund'))
);

-- The job asks for an acquirer's days, whosesoever they are.
create index settlement_item_by_day on settlement_item (acquirer, day, payee_id, agreement, currency);
create index settlement_item_by_acquirer_reference on settlement_item (payee_id, acquirer, acquirer_reference)
  where acquirer_reference is not null;
create index settlement_item_by_retrieval_reference on settlement_item (payee_id, acquirer, retrieval_reference);

-- A file that was read to its end. The same file again changes nothing. Files are the installation's: the lines in them are
-- the payees'.
create table settlement_file (
  payee_id uuid not null,
  acquirer text not null,
  digest bytea not null,
  name text not null,
  lines bigint not null,
  imported_at timestamptz not null,

  constraint settlement_file_pkey primary key (payee_id, acquirer, digest),
  constraint file_digest_is_a_sha_256 check (octet_length(digest) = 32)
);

-- What an acquirer pays a payee at once.
create table settlement_batch (
  payee_id uuid not null constraint payee_exists references payee,
  acquirer text not null,
  batch_id text not null,
  currency text not null,
  -- Of all of its lines: the same batch again changes nothing, another one under its name is refused.
  digest bytea not null,
  lines bigint not null,
  gross bigint not null,
  fee bigint not null,
  -- What it pays: the sum of the others.
  net bigint not null,
  -- The movement that books what of it was matched; null where that is nothing.
  movement_id uuid,
  imported_at timestamptz not null,

  constraint settlement_batch_pkey primary key (payee_id, acquirer, batch_id),
  constraint batch_digest_is_a_sha_256 check (octet_length(digest) = 32),
  constraint batch_gross_and_fee_are_net check (gross + fee = net)
);

create table settlement_line (
  payee_id uuid not null,
  acquirer text not null,
  batch_id text not null,
  line_id text not null,
  type text not null,
  merchant_id text not null,
  attempt_reference uuid,
  acquirer_reference text,
  retrieval_reference text,
  transaction_date date,
  value_date date,
  card_last4 text,
  brand text,
  currency text not null,
  -- Minor units with their sign.
  gross bigint not null,
  fee bigint not null,
  interchange bigint,
  scheme_fee bigint,
  net bigint not null,
  reason_code text,
  case_id text,
  respond_by date,
  -- The transaction that it is about, as far as it was found.
  attempt_id uuid,
  -- The batch whose movement has its gross amount; null where it was not booked.
  booked_by text,

  constraint settlement_line_pkey primary key (payee_id, acquirer, batch_id, line_id),
  constraint batch_exists foreign key (payee_id, acquirer, batch_id) references settlement_batch,
  constraint line_type_is_known
    check (type in ('Sale', 'Refund', 'Fee', 'Chargeback', 'ChargebackReversal', 'Adjustment', 'Payout')),
  constraint line_gross_and_fee_are_net check (gross + fee = net or type = 'Payout'),
  constraint card_is_four_digits check (card_last4 ~ '^[0-9]{4}$')
);

-- What is about a transaction, and what a payee was paid.
create index settlement_line_by_attempt on settlement_line (payee_id, attempt_id) where attempt_id is not null;
create index settlement_line_paid on settlement_line (payee_id, value_date) where type = 'Payout';

-- What our books and the acquirer's do not agree on.
create table settlement_difference (
  payee_id uuid not null constraint payee_exists references payee,
  difference_id uuid not null,
  kind text not null,
  state text not null default 'Open',
  acquirer text not null,
  agreement text not null,
  currency text not null,
  day date,
  attempt_id uuid,
  batch_id text,
  line_id text,
  -- What our books say, and what the acquirer says; null where one says nothing. Minor units with their sign.
  ours bigint,
  theirs bigint,
  opened_at timestamptz not null,
  -- When a person or a later line ended it, and why: the person's words, or the line.
  closed_at timestamptz,
  reason text,

  constraint settlement_difference_pkey primary key (payee_id, difference_id),
  constraint difference_kind_is_known check (
    kind in ('unknownToUs', 'amountDiffers', 'currencyDiffers', 'merchantDiffers', 'twice', 'missingAtAcquirer',
      'totalsDiffer', 'abandoned')
  ),
  constraint difference_state_is_known check (state in ('Open', 'Cured', 'Resolved')),
  constraint ended_difference_says_when_and_why
    check ((state = 'Open') = (closed_at is null) and (state = 'Open') = (reason is null)),
  constraint difference_line_is_named_whole check ((batch_id is null) = (line_id is null))
);

-- A line differs once, what is missing is missing once, and a day has one set of totals.
create unique index line_differs_once on settlement_difference (payee_id, acquirer, batch_id, line_id)
  where batch_id is not null;
create unique index transaction_differs_once_without_a_line on settlement_difference (payee_id, kind, attempt_id)
  where batch_id is null and attempt_id is not null;
create unique index totals_differ_once on settlement_difference (payee_id, agreement, currency, day)
  where kind = 'totalsDiffer';
create index settlement_difference_open on settlement_difference (payee_id, opened_at) where state = 'Open';
create index settlement_difference_by_attempt on settlement_difference (payee_id, attempt_id)
  where attempt_id is not null;

-- What a batch of an acquirer's file pays, and what a holder of a card has asked back through the bank.
alter table movement
  drop constraint movement_kind_is_known,
  add constraint movement_kind_is_known check (
    kind in ('Authorize', 'Capture', 'Cancel', 'Expire', 'Purchase', 'Deposit', 'Credit', 'Reversal', 'Sweep', 'Merge',
      'Opening', 'Settlement', 'Dispute')
  ) not valid;
