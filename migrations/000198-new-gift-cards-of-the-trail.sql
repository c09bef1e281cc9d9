-- no transaction
-- Who issued or imported a gift card, and of which file: the audit trail files it under the card's first deposit. The payee is no part
-- of it: a plan that was made on an empty table would take another index that begins with the payee.

drop index concurrently if exists audit_by_new_gift_card;
create index concurrently audit_by_new_gift_card on audit (((details->>'accountId')::uuid))
  where action in ('import-gift-card', 'issue-gift-card');
