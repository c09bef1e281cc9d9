-- no transaction
-- What is stopped has a time and a reason, and the operator never is.

alter table payee validate constraint standing_is_known;
alter table payee validate constraint change_has_a_time_and_a_reason;
alter table payee validate constraint operator_is_never_stopped;
