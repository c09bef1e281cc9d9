-- How many requests have a sealed card in their hands: between sealing or opening it, and storing what became of their try.
-- No transaction names it then, and one payment's end must not destroy what another one is about to pay with. A request
-- that dies leaves its count behind; a count counts only as long as a request may take since the last one began.
alter table sealed_card
  add column tries integer not null default 0,
  add constraint sealed_card_tries check (tries >= 0);
