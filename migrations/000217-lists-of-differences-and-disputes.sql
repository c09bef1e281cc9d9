-- no transaction
-- Lists of differences and disputes, each walked as it is asked for. Of a day: its open differences are counted for each day that is listed.

drop index concurrently if exists settlement_difference_by_time;
create index concurrently settlement_difference_by_time on settlement_difference (payee_id, opened_at, difference_id);

drop index concurrently if exists settlement_difference_of_day;
create index concurrently settlement_difference_of_day on settlement_difference
  (payee_id, agreement collate "C", currency collate "C", day);

drop index concurrently if exists dispute_by_state;
create index concurrently dispute_by_state on dispute (payee_id, state collate "C", opened_at, dispute_id);
