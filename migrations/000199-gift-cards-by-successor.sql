-- no transaction
-- The cards that a card stands in the place of, and those that were emptied onto it: its history leads to them.

drop index concurrently if exists gift_card_by_successor;
create index concurrently gift_card_by_successor on gift_card (replaced_by) where replaced_by is not null;
drop index concurrently if exists gift_card_by_receiver;
create index concurrently gift_card_by_receiver on gift_card (merged_into) where merged_into is not null;
