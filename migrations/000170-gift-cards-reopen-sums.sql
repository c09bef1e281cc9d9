-- New cards are counted by the day, those with nothing on them too, and so are those in the place of lost ones.
create function gift_cards_reopen_sums() returns trigger
  language plpgsql
  as $$
  begin
    update gift_card_closing c
    set closed_to = null, closing_to = null, mark = null
    from (select payee_id, min(issued_at) as since from added group by payee_id) a
    where c.payee_id = a.payee_id and c.closing_to > a.since;
    return null;
  end
  $$;

create function replacement_reopens_gift_card_sums() returns trigger
  language plpgsql
  as $$
  begin
    update gift_card_closing
    set closed_to = null, closing_to = null, mark = null
    where payee_id = new.payee_id and closing_to > new.replaced_at;
    return null;
  end
  $$;

create trigger gift_card_reopens_sums
  after insert on gift_card
  referencing new table as added
  for each statement execute function gift_cards_reopen_sums();

create trigger replacement_reopens_sums
  after update of replaced_at on gift_card
  for each row when (new.replaced_at is distinct from old.replaced_at)
  execute function replacement_reopens_gift_card_sums();
