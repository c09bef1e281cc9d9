-- What a page of the portal calls the API with says who is behind it: the role decides what it may do, and large amounts
-- ask for the password. Both are null for the tokens of programs.

alter table access_token add column portal_role text;
alter table access_token add column reauthenticated_until timestamptz;
alter table access_token add constraint portal_role_is_known
  check (portal_role in ('administrator', 'finance', 'support', 'integrator', 'operator'));
-- Pages whose tokens were made before ask for new ones: without a role they would count as programs.
update access_token set revoked_at = kontor_now() where portal_session_id is not null and revoked_at is null;
alter table access_token add constraint pages_have_a_role
  check (portal_session_id is null or portal_role is not null or revoked_at is not null);
