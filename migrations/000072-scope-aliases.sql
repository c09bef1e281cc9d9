-- Words that a client may ask for in place of all of its scopes: older clients name a scope that their service had, and have
-- no setting for it.

alter table oauth_client add column scope_aliases text[] not null default '{}';
