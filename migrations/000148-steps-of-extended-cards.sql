-- no transaction
-- What was asked of a card that is extended, or that is restored after a sweep: until when.

alter table gift_card_step
  add column if not exists until date,
  drop constraint if exists step_is_known,
  add constraint step_is_known
    check (step in ('Block', 'Unblock', 'Void', 'Merge', 'Replace', 'Sweep', 'Extend', 'Restore')) not valid,
  drop constraint if exists extension_names_its_last_day,
  add constraint extension_names_its_last_day check ((step in ('Extend', 'Restore')) = (until is not null)) not valid;
alter table gift_card_step validate constraint step_is_known;
alter table gift_card_step validate constraint extension_names_its_last_day;
