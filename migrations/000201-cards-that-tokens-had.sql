-- The cards that a token had before an update: last four digits and expiry, as in `0004 01/2027`. A first import file that is read again
-- is known by them, for the old number itself is destroyed.

alter table payer_token add column former_cards text[] collate "C";
