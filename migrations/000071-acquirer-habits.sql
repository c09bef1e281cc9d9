-- What hosts of acquirers were seen to do that other hosts do not: fields beyond the dialect, fields that they do not repeat, and
-- the like. For people who connect an acquirer: `kontor doctor` shows it, and nothing else reads it. A few rows for each acquirer.

create table acquirer_habit (
  acquirer text not null,
  habit text not null,
  -- Number of the field that it is about; 0 where it is about none.
  field smallint not null,
  first_seen_at timestamptz not null,
  -- Renewed once a day by each instance that sees it.
  last_seen_at timestamptz not null,

  constraint acquirer_habit_pkey primary key (acquirer, habit, field),
  constraint field_has_a_number check (field between 0 and 128),
  constraint habit_was_seen_in_order check (last_seen_at >= first_seen_at)
);
