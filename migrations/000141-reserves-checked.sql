-- no transaction
-- Reads the table while it is written to.

alter table settlement_line validate constraint line_type_is_known;
