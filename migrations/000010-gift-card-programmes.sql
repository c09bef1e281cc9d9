-- Gift cards by the thousand: what makes it fast to add them, and to say what is owed.

-- A connection makes the plan for a foreign key once, perhaps while there is no account. Then all indexes that begin with
-- the payee cost the same to PostgreSQL, and of equal ones it takes the newest: the numbers' index, in which it would walk
-- through all accounts of the payee for each payment and each card. A partial index is out of the question for it, and is
-- as good as before where a number is looked for.
alter table account drop constraint number_has_one_account;
create unique index number_has_one_account on account (payee_id, number_digest) where number_digest is not null;
