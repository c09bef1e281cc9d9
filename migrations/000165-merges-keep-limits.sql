-- Whether money on cards of the product stays on cards with the same limits or more: it is not merged into others.
alter table gift_card_product add column merge_keeps_limits boolean not null default false;
