-- no transaction
-- What of a sale is charged back is the sum of the lines that took it and gave it back, whatever people note of the dispute. So lines
-- know their dispute, and a dispute knows what was taken for it.
--
-- stops settlement_line, dispute, card_payment, payment: the few rows that disputes are about are changed

alter table settlement_line add column if not exists dispute_id uuid;

-- Where the acquirer tells its amount in another currency than ours.
alter table settlement_difference add column if not exists their_currency text;

alter table dispute add column if not exists taken bigint not null default 0;

update settlement_line l
set dispute_id = d.dispute_id
from dispute d
where l.type in ('Chargeback', 'ChargebackReversal') and l.booked_by is not null and l.dispute_id is null
  and d.payee_id = l.payee_id and d.acquirer = l.acquirer and d.case_id = coalesce(l.case_id, l.attempt_id::text);

update dispute d
set taken = greatest(0, (
  select coalesce(-sum(l.gross), 0) from settlement_line l where l.payee_id = d.payee_id and l.dispute_id = d.dispute_id
));

-- What was contested, or closed as won by hand, is blocked until it comes back.
update card_payment p
set disputed = d.taken
from (select payee_id, payment_id, sum(taken) as taken from dispute group by payee_id, payment_id) d
where d.payee_id = p.payee_id and d.payment_id = p.payment_id and p.disputed <> d.taken;

update payment p
set disputed = d.taken
from (select payee_id, payment_id, sum(taken) as taken from dispute group by payee_id, payment_id) d
where d.payee_id = p.payee_id and d.payment_id = p.payment_id and p.disputed <> d.taken;
