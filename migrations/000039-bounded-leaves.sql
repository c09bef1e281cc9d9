-- How often payers have left the page of a payment by its cancel button. Each time makes rows, so there is a last one: it
-- ends the payment.
alter table card_payment
  add column leaves integer not null default 0,
  add constraint leaves_are_counted_from_zero check (leaves >= 0) not valid;
