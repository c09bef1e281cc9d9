-- A payee can be stopped, for a while or for good: a merchant who cheats, or whose credentials are in a stranger's hands.
alter table payee
  -- FollowUpsOnly: what was begun can be brought to its end (captures, cancellations, reversals), and nothing new begins.
  add column standing text not null default 'Active',
  -- What the operator wrote, at the last change.
  add column standing_reason text,
  add column standing_at timestamptz,
  -- Who changed it last, as the audit trail names them: what one person stopped, another one opens again or closes.
  add column standing_by text,
  -- Numbers the events that tell of it.
  add column standing_changes integer not null default 0,
  add constraint standing_is_known check (standing in ('Active', 'FollowUpsOnly', 'Suspended', 'Closed')) not valid,
  add constraint change_has_a_time_and_a_reason check (
    (standing_changes = 0 and standing = 'Active' and standing_reason is null and standing_at is null and standing_by is null)
    or (standing_changes > 0 and standing_reason <> '' and standing_at is not null and standing_by is not null)
  ) not valid,
  add constraint operator_is_never_stopped check (
    standing = 'Active' or payee_id <> '00000000-0000-0000-0000-000000000000'
  ) not valid;
