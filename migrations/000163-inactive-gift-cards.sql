-- Whether a card was issued to be sold later: until the first money comes to it, it is no card that was sold. Nothing is written
-- when it is sold: its account has an entry then.
alter table gift_card add column inactive_until_sold boolean not null default false;
