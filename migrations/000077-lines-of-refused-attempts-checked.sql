-- no transaction
-- Reads the table without keeping anything waiting.

alter table settlement_difference validate constraint difference_kind_is_known;
