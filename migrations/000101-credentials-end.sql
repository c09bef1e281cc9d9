-- stops oauth_client, hmac_key: a payee has one or two; those of portal pages end within minutes
-- OAuth clients and HMAC keys end, as access tokens do, and say on which day they were used last. Those that had no end get one
-- in a year.

alter table oauth_client add column expires_at timestamptz;
alter table oauth_client add column last_used_on date;
alter table hmac_key add column last_used_on date;
-- When a successor was put beside it. Until now an end said so.
alter table hmac_key add column rotated_at timestamptz;
update hmac_key set rotated_at = greatest(kontor_now(), created_at) where expires_at is not null and portal_session_id is null;
update oauth_client set expires_at = greatest(kontor_now(), created_at) + interval '12 months' where revoked_at is null;
update hmac_key set expires_at = greatest(kontor_now(), created_at) + interval '12 months'
where revoked_at is null and expires_at is null;

-- When a user was enabled again: since then they count as being there.
alter table portal_user_watch add column enabled_at timestamptz;
