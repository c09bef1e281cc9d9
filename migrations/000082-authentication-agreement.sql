-- Under which agreement a payer authenticates: the directory server was told of its merchant, and the card is charged under it.
-- Null of authentications from before.
alter table authentication add column agreement text;
