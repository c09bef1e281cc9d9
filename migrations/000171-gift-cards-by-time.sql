-- no transaction
-- Cards that were issued, or stand in the place of others, since an instant. They do not begin with the payee: on an empty table the
-- planner would take such an index for the primary key.

drop index concurrently if exists gift_card_by_issue;
create index concurrently gift_card_by_issue on gift_card (issued_at);
drop index concurrently if exists gift_card_by_replacement;
create index concurrently gift_card_by_replacement on gift_card (replaced_at) where replaced_at is not null;
