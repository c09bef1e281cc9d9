-- What people did, among all that programs do: the portal's list of activity begins with it. A row of a program is in
-- neither part of the condition, so it costs nothing but the look.
create index audit_by_people on audit (payee_id, audit_id)
  where actor like 'portal-user:%' or actor like 'operator:%';
