-- A batch pays for several agreements at once, and the ledger books it once. Whose part of a movement is whose is written down with it, so
-- that what each agreement still has to pay can be told for any instant, whatever becomes of the batch's lines later.

create table settlement_share (
  payee_id uuid not null,
  movement_id uuid not null,
  -- Empty: of an earlier version, and not known.
  agreement text collate "C" not null,
  -- What the movement books of it on the side Issuer. Minor units.
  amount bigint not null,

  constraint settlement_share_pkey primary key (payee_id, movement_id, agreement),
  constraint movement_of_share_exists foreign key (payee_id, movement_id) references movement,
  constraint share_is_not_zero check (amount <> 0)
);
comment on table settlement_share is 'append-only: whose part of a movement is whose';

create trigger settlement_share_stays_as_it_is
  before update or delete or truncate on settlement_share
  for each statement execute function refuse_to_change_the_past();

-- What is there: of batches by their lines, and of ended differences.
insert into settlement_share (payee_id, movement_id, agreement, amount)
select l.payee_id, b.movement_id, coalesce(i.agreement, f.agreement, ''), sum(l.gross)
from settlement_batch b
join settlement_line l on l.payee_id = b.payee_id and l.acquirer = b.acquirer and l.booked_by = b.batch_id
left join settlement_item i on i.payee_id = l.payee_id and i.attempt_id = l.attempt_id and i.type in ('Sale', 'Refund')
left join lateral (
  select d.agreement from settlement_difference d
  where d.payee_id = l.payee_id and d.acquirer = l.acquirer and d.batch_id = l.batch_id and d.line_id = l.line_id
  limit 1
) f on true
where b.movement_id is not null
group by l.payee_id, b.movement_id, coalesce(i.agreement, f.agreement, '')
having sum(l.gross) <> 0
union all
select f.payee_id, f.movement_id, f.agreement, e.amount
from settlement_difference f
join entry e on e.payee_id = f.payee_id and e.movement_id = f.movement_id and e.side = 'Issuer'
where f.movement_id is not null;
