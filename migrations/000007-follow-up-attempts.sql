-- A capture, cancel or reversal of a payment on an external card is asked of its issuer too. While it is, the payment
-- keeps its amount apart, so that nothing else can take it.
--
-- The version before may still run beside this one: it writes rows without the new columns, which then say that nothing
-- is kept apart. Where it would take what is, a constraint refuses it. Every row that is there satisfies the constraints,
-- so none is looked at: that would keep everybody out for as long as it takes.

alter table payment
  -- Of what is left to capture and to cancel: what captures and cancels have asked for, without an answer yet.
  add column reserved_hold bigint not null default 0,
  -- The same of what is left to give back.
  add column reserved_reversal bigint not null default 0,
  add constraint reserved_not_negative check (reserved_hold >= 0 and reserved_reversal >= 0) not valid,
  add constraint captured_cancelled_and_reserved_not_above_the_amount
    check (captured + cancelled + reserved_hold <= amount) not valid,
  add constraint reversed_and_reserved_not_above_captured check (reversed + reserved_reversal <= captured) not valid,
  add constraint only_a_good_payment_reserves
    check (state = 'OK' or (reserved_hold = 0 and reserved_reversal = 0)) not valid;

alter table payment_transaction
  -- What a capture releases of the hold together with what it takes. Older captures did so without saying it here.
  add column released bigint not null default 0,
  add constraint only_a_capture_releases check (released = 0 or (released > 0 and operation = 'Capture')) not valid;

alter table issuer_attempt
  -- The capture, cancel or reversal that it asks for; null where it asks for the payment itself.
  add column transaction_id uuid;

-- A follow-up names the attempt that made its payment: there is one.
create unique index attempt_makes_the_payment on issuer_attempt (payee_id, payment_id) where transaction_id is null;
