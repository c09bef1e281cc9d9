-- Reports ask what has moved since an instant. Movements are added in the order of their time, so a few bytes for each
-- stretch of the table tell where to look, and adding one costs nothing.
create index movement_by_time on movement using brin (happened_at) with (autosummarize = on);
