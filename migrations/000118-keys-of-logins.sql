-- The same of the addresses that portal users sign in with.

alter table portal_login add column email_key_id text collate "C" not null default 'identity-1';
