-- no transaction
-- What waits is counted in the menu, and shown on the page of the object that it is about.

drop index concurrently if exists pending_change_waiting;
create index concurrently pending_change_waiting on pending_change (payee_id)
  where state in ('Pending', 'Approved') and request_sealed is not null;

alter table pending_change validate constraint kind_of_object_is_known;
