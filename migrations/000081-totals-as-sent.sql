-- Whether bytes of the message that tells a day's totals were handed over: what comes next is a repeat.
alter table settlement_day add column was_sent boolean not null default false;
