-- As in the audit trail: who verified the ledger is a kind and an id.
--
-- stops ledger_verification_run: it has a row for each night
alter table ledger_verification_run
  add column actor_kind text collate "C",
  add column actor_id text collate "C";
alter table ledger_verification_run
  alter column actor_kind type text collate "C" using split_part(actor, ':', 1),
  alter column actor_id type text collate "C" using nullif(substr(actor, length(split_part(actor, ':', 1)) + 2), '');
alter table ledger_verification_run
  drop column actor,
  alter column actor_kind set not null;
