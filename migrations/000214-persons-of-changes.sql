-- As in the audit trail: who asked for a change and who decided it are a kind and an id each.
--
-- stops pending_change: people ask for and decide some changes a day
alter table pending_change
  add column asked_by_kind text collate "C",
  add column asked_by_id text collate "C",
  add column decided_by_kind text collate "C",
  add column decided_by_id text collate "C";
alter table pending_change
  alter column asked_by_kind type text collate "C" using split_part(asked_by, ':', 1),
  alter column asked_by_id type text collate "C" using substr(asked_by, length(split_part(asked_by, ':', 1)) + 2),
  alter column decided_by_kind type text collate "C" using split_part(decided_by, ':', 1),
  alter column decided_by_id type text collate "C" using substr(decided_by, length(split_part(decided_by, ':', 1)) + 2);

-- The index of what was asked once goes with its column, and both constraints.
alter table pending_change
  drop column asked_by,
  drop column decided_by,
  alter column asked_by_kind set not null,
  alter column asked_by_id set not null,
  add constraint decisions_have_a_person check (
    (state = 'Pending') = (decided_by_kind is null) and (decided_by_kind is null) = (decided_by_id is null)
  ),
  add constraint two_persons check (
    state = 'Refused' or decided_by_kind <> asked_by_kind or decided_by_id <> asked_by_id
  );
create unique index pending_change_asked_once on pending_change (payee_id, asked_by_kind, asked_by_id, operation_id, reference)
  where state = 'Pending';
