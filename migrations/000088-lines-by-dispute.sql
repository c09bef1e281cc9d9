-- no transaction
-- The lines of a dispute.

drop index concurrently if exists settlement_line_by_dispute;
create index concurrently settlement_line_by_dispute on settlement_line (payee_id, dispute_id) where dispute_id is not null;
