-- Cards of other issuers pay account payments too, and their holders can ask that money back through their banks.

-- What of a payment is open, accepted or lost: it cannot be given back a second time. It changes under the lock of the
-- payment's account, as all else of the payment does.
alter table payment
  add column disputed bigint not null default 0,
  add constraint disputed_not_negative check (disputed >= 0) not valid;
