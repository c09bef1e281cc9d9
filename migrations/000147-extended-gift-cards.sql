-- The last day of a gift card whose time was extended. What is printed on it stays in `account.expires_on`: its code is derived
-- from that day, and holders enter it. `account.expires_at` is when the card really ends.
alter table gift_card add column extended_to date;
