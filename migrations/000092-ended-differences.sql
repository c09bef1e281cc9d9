-- no transaction
-- A person can end a difference so that its sale or refund is owed no more: written off, or paid outside of files. That is booked, as a
-- line would be.

alter table settlement_item add column if not exists ended_by uuid;

alter table settlement_difference
  add column if not exists outcome text,
  add column if not exists movement_id uuid;
