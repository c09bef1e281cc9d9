-- When a kept capture is told next. Its due_at is never: the version before, whose instances may work beside this one for a while, would
-- take it for a cancel.

alter table issuer_attempt
  add column forward_at timestamptz,
  add constraint kept_capture_is_forwarded check (forward_at is null or state = 'FORWARDING') not valid;
