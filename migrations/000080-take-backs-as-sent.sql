-- A take-back says the same each time that it is sent, so what it says is stored when it is named: why (`Silence`, `TooLate`, `Partial`,
-- `NotUsable`; null of those from before), and, in its `amount`, what the acquirer has approved. Of a question, that is here where it
-- was a part.

alter table acquirer_exchange
  add column reason text,
  add column approved_amount bigint;
