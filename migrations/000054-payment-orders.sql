-- Payment orders: one amount that a payer pays with several means. What each issuer approved of it is a leg, and stands where
-- such payments stand; the order's row is the lock of all of them.

create table payment_order (
  payee_id uuid not null constraint payee_exists references payee,
  order_id uuid not null,
  number bigint not null,
  operation text not null,
  -- Null for a Verify, which moves nothing.
  intent text,
  status text not null,
  currency text not null,
  -- What is to be paid. Minor units, as all down to the reversal.
  amount bigint not null,
  vat_amount bigint not null,
  -- Sums of the legs, from the approval of all of the amount on; 0 before.
  captured bigint not null default 0,
  cancelled bigint not null default 0,
  reversed bigint not null default 0,
  reserved_hold bigint not null default 0,
  reserved_reversal bigint not null default 0,
  -- The card payment that a card pays its part by, and that the page runs on. It changes under the order's lock alone.
  card_payment_id uuid not null,
  -- The transaction that all of the amount was authorized by.
  paid_by uuid,
  -- Tries and transactions whose outcome is unknown.
  unsettled integer not null default 0,
  failed_tries integer not null default 0,
  abort_reason text,
  -- Why what was left was cancelled, where the payee has not asked for it.
  cancel_reason text,
  -- Code of the decline that the order failed by.
  problem text,
  -- The view that it was created in: it decides the form of callbacks.
  made_in text not null,
  -- Set by the first opening of the page.
  integration text,
  -- The only means that the page offers, in instrument mode; null: a menu.
  instrument text,
  payer_reference text,
  -- What the payee asked for, as it is shown, and what a repeated request is compared with. No secret, no card number.
  terms jsonb not null,
  order_items jsonb not null default '[]',
  -- SHA-256 of what creating it was asked for: changes of the order do not make a repeat of that another request.
  content_digest bytea not null,
  -- Until then it can be paid.
  expires_at timestamptz not null,
  -- When the holds of gift cards go back, unless a try is under way; null where nothing is held.
  held_until timestamptz,
  -- When all that is left is cancelled; null where nothing is authorized.
  authorized_until timestamptz,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  event_sequence bigint not null,
  -- Entries of its history so far.
  history_count integer not null default 0,
  -- Changes of this row; each names the one that it has seen.
  version bigint not null default 0,

  constraint payment_order_pkey primary key (payee_id, order_id),
  constraint order_operation_is_known check (operation in ('Purchase', 'Verify', 'Recur', 'UnscheduledPurchase')),
  constraint order_intent_is_known check (intent in ('Authorization', 'AutoCapture')),
  constraint all_but_a_verify_have_an_intent check ((operation = 'Verify') = (intent is null)),
  constraint order_status_is_known
    check (status in ('Initialized', 'Paid', 'Failed', 'Aborted', 'Cancelled', 'Reversed')),
  constraint order_amount_is_an_amount check (amount between 0 and 999999999999),
  constraint order_vat_is_a_part_of_the_amount check (vat_amount between 0 and amount),
  constraint nothing_of_an_order_is_negative
    check (least(captured, cancelled, reversed, reserved_hold, reserved_reversal, failed_tries, unsettled) >= 0),
  constraint order_takes_not_more_than_its_amount check (captured + cancelled + reserved_hold <= amount),
  constraint order_gives_back_not_more_than_it_took check (reversed + reserved_reversal <= captured),
  constraint only_a_paid_order_took_anything
    check (paid_by is not null or (captured = 0 and cancelled = 0 and reserved_hold = 0)),
  constraint paid_order_says_so check ((paid_by is not null) = (status in ('Paid', 'Cancelled', 'Reversed'))),
  constraint aborted_order_says_why check ((status = 'Aborted') = (abort_reason is not null)),
  constraint order_view_is_known check (made_in in ('2.0', '3.0', '3.1')),
  constraint integration_is_known check (integration in ('Redirect', 'HostedView')),
  constraint instrument_is_known check (instrument in ('CreditCard', 'GiftCard')),
  constraint content_digest_has_32_bytes check (length(content_digest) = 32),
  constraint order_terms_is_an_object check (jsonb_typeof(terms) = 'object'),
  constraint order_items_is_a_list check (jsonb_typeof(order_items) = 'array'),
  constraint order_updated_not_before_created check (updated_at >= created_at)
)
with (fillfactor = 80);

-- A payee's orders, the latest first; and what has to end: unpaid orders, holds of gift cards, authorizations.
create index payment_order_by_time on payment_order (payee_id, created_at desc, order_id);
create index payment_order_by_number on payment_order (payee_id, number);
create index payment_order_by_expiry on payment_order (expires_at) where status = 'Initialized';
create index payment_order_by_holds on payment_order (held_until) where held_until is not null;
create index payment_order_by_authorization on payment_order (authorized_until) where authorized_until is not null;

-- A part of an order that one issuer pays. Its amounts stand in the payment that it names.
create table order_leg (
  payee_id uuid not null,
  leg_id uuid not null,
  order_id uuid not null,
  -- From 1, in the order in which they were added; the card comes last.
  position integer not null,
  kind text not null,
  -- Added: known, and nothing is held. Released: the hold has gone back, and it is added no more.
  state text not null,
  -- Of a gift card or prepaid account; null for a card.
  account_id uuid,
  -- The account payment of the present hold, or the card payment; null while nothing is held.
  payment_id uuid,
  instrument_type text not null,
  -- The masked number.
  name text not null,
  -- What is held of it or approved; 0 before.
  amount bigint not null default 0,
  -- The version of the account's code that was compared: another one, and it has to be entered anew.
  cvc_sequence integer,
  added_at timestamptz not null,
  updated_at timestamptz not null,

  constraint order_leg_pkey primary key (payee_id, leg_id),
  constraint order_of_leg_exists foreign key (payee_id, order_id) references payment_order,
  constraint leg_kind_is_known check (kind in ('Account', 'Card')),
  constraint leg_state_is_known check (state in ('Added', 'Held', 'Authorized', 'Released')),
  constraint account_leg_names_its_account check ((kind = 'Account') = (account_id is not null)),
  constraint held_leg_names_its_payment check (state in ('Added', 'Released') or payment_id is not null),
  constraint leg_instrument_is_known check (instrument_type in ('giftcard', 'prepaid', 'creditcard')),
  constraint leg_hides_its_number check (name !~ '[0-9]{13}'),
  constraint leg_amount_is_an_amount check (amount between 0 and 999999999999)
)
with (fillfactor = 90);

create index order_leg_by_order on order_leg (order_id, position);
create index order_leg_by_account on order_leg (payee_id, account_id) where account_id is not null;

-- An authorization, sale, verification, capture, cancellation or reversal of a whole order.
create table order_transaction (
  payee_id uuid not null,
  transaction_id uuid not null,
  order_id uuid not null,
  number bigint not null,
  type text not null,
  -- Initialized: an issuer was asked for its part, and has not answered yet.
  state text not null,
  amount bigint not null,
  vat_amount bigint not null,
  description text,
  payee_reference text,
  receipt_reference text,
  -- As they were sent with a capture or reversal.
  order_items jsonb,
  initiated_by text not null,
  -- Code of the decline.
  problem text,
  created_at timestamptz not null,
  updated_at timestamptz not null,

  constraint order_transaction_pkey primary key (payee_id, transaction_id),
  constraint order_of_transaction_exists foreign key (payee_id, order_id) references payment_order,
  constraint order_transaction_type_is_known
    check (type in ('Authorization', 'Sale', 'Verification', 'Capture', 'Cancellation', 'Reversal')),
  constraint order_transaction_state_is_known check (state in ('Initialized', 'Completed', 'Failed')),
  constraint order_transaction_amount_is_an_amount check (amount between 0 and 999999999999),
  constraint order_transaction_initiator_is_known check (initiated_by in ('Payee', 'Payer', 'PaymentGateway')),
  constraint failed_order_transaction_says_why check ((state = 'Failed') = (problem is not null)),
  constraint order_transaction_updated_not_before_created check (updated_at >= created_at)
);

create index order_transaction_by_order on order_transaction (order_id, number);

-- What of a transaction falls on one leg.
create table order_part (
  payee_id uuid not null,
  transaction_id uuid not null,
  leg_id uuid not null,
  amount bigint not null,
  -- What of a hold a capture releases together with what it takes.
  released bigint not null default 0,
  -- Its transaction in the leg's own table; of an authorization of an account, the account payment.
  own_id uuid not null,

  constraint order_part_pkey primary key (payee_id, transaction_id, leg_id),
  constraint transaction_of_part_exists foreign key (payee_id, transaction_id) references order_transaction,
  constraint leg_of_part_exists foreign key (payee_id, leg_id) references order_leg,
  constraint part_is_an_amount check (amount between 0 and 999999999999 and released >= 0)
);

create index order_part_by_leg on order_part (payee_id, leg_id);
create index order_part_by_own on order_part (payee_id, own_id);

-- What happened to an order, as its payee reads it.
create table order_history (
  payee_id uuid not null,
  order_id uuid not null,
  -- From 1.
  position integer not null,
  name text not null,
  initiated_by text not null,
  instrument text,
  number bigint,
  amount bigint,
  is_prefilled boolean,
  created_at timestamptz not null,

  constraint order_history_pkey primary key (payee_id, order_id, position),
  constraint order_of_history_exists foreign key (payee_id, order_id) references payment_order,
  constraint history_initiator_is_known check (initiated_by in ('Payee', 'Payer', 'PaymentGateway'))
);

-- What payees have settled about their orders; a payee without a row has the defaults of the service.
create table order_settings (
  payee_id uuid not null constraint payee_exists references payee,
  gift_cards_on_page boolean,
  gift_cards_buy_gift_cards boolean,
  hold_minutes integer,
  order_hold_days integer,
  unpaid_hours integer,
  smallest_card_amount bigint,
  capture_order text,
  reversal_order text,
  updated_at timestamptz not null,

  constraint order_settings_pkey primary key (payee_id),
  constraint holds_last_5_to_60_minutes check (hold_minutes between 5 and 60),
  constraint authorizations_last_1_to_180_days check (order_hold_days between 1 and 180),
  constraint unpaid_orders_last_1_hour_to_28_days check (unpaid_hours between 1 and 672),
  constraint smallest_card_amount_is_an_amount check (smallest_card_amount between 1 and 999999999999),
  constraint capture_order_is_known check (capture_order in ('GiftCardsFirst', 'CardFirst')),
  constraint reversal_order_is_known check (reversal_order in ('GiftCardsFirst', 'CardFirst'))
);

-- The order that a payment is a leg of; null where it stands for itself. Nothing ends such a hold but its order.
alter table payment add column order_id uuid;
alter table card_payment add column order_id uuid;

alter table reference drop constraint scope_is_known;
alter table reference add constraint scope_is_known check (
    scope in ('payment', 'nonce', 'new-gift-card', 'pre-deposit', 'gift-card', 'card-payment', 'card-payment-key',
      'payment-order', 'payment-order-key')
  ) not valid;
