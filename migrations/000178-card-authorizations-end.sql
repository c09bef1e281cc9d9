-- When what is left of a card payment's authorization is released; null where nothing is. Payments of before have no end; of one of an
-- order that tells it. No constraint says so: instances of the version before write what is left, and do not know of this.
alter table card_payment add column authorized_until timestamptz;
