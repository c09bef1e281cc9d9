-- Who agrees to end a difference or a dispute is told in which of several ways it is ended.

alter table pending_change add column way text collate "C";
