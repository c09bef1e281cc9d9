-- When what is left of a card payment's authorization then is released. Payments of before have no end; of one of an order that tells it.
-- No constraint ties it to what is left: instances of the version before write that, and do not know of this.
alter table card_payment add column authorized_until timestamptz;
