-- Each use of digests has a key of its own in the ring, where one key, identity-1, did all of them. Rows that can come under another
-- key name theirs; those from before, and those that instances of older versions still write, are under identity-1.

alter table payer_token add column identity_key_id text collate "C" not null default 'identity-1';
