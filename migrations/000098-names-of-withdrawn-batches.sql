-- no transaction
-- The right file may name the same line and the same case as the one that was withdrawn.

drop index concurrently if exists line_of_batch_differs_once;
create unique index concurrently line_of_batch_differs_once on settlement_difference (payee_id, acquirer, batch_id, line_id)
  where batch_id is not null and withdrawal_id is null;
drop index concurrently if exists case_is_one_standing_dispute;
create unique index concurrently case_is_one_standing_dispute on dispute (payee_id, acquirer, case_id) where state <> 'Withdrawn';
alter table dispute drop constraint if exists case_is_one_dispute;

-- What a batch has cured.
drop index concurrently if exists settlement_difference_cured;
create index concurrently settlement_difference_cured on settlement_difference (payee_id, acquirer, cured_by) where cured_by is not null;
drop index concurrently if exists line_differs_once;

alter table settlement_difference validate constraint difference_state_is_known;
alter table dispute validate constraint dispute_state_is_known;
alter table pending_change validate constraint kind_of_object_is_known;
