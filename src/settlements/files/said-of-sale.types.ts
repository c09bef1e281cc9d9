/** What line `l` of a file says of its sale, refund or dispute, in the currency of the transaction: the line itself may pay in another one. */
export const SAID_CURRENCY = 'coalesce(l.transaction_currency, l.currency)';
/** Minor units with their sign. */
export const SAID_AMOUNT = 'coalesce(l.transaction_amount, l.gross)';
