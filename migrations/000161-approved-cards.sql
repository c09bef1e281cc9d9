-- Who agrees to a sweep of many gift cards is told how many they are.

alter table pending_change add column cards integer;
