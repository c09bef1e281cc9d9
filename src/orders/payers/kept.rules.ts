/** What an erasure leaves, and why. */
export const KEPT = [
  {
    what: 'amounts, dates, states and numbers of orders, payments and gift cards, and the ledger',
    why: 'the law on bookkeeping',
  },
  {
    what: "the payee's own reference of the payer, of orders, payments and tokens",
    why: 'the payee finds its books by it, and ends it in its own systems',
  },
  {
    what: 'what gift cards have come to, which counts against their limits',
    why: 'the law against money laundering; nothing leads from it to the payer',
  },
  {
    what: 'masked card numbers of payments',
    why: 'disputes, and what the payee shows of a payment',
  },
  {
    what: 'User-Agents and addresses of payments',
    why: 'proof of what was asked for; they end by themselves, as the operator has set',
  },
  {
    what: 'texts and metadata that the payee sent with a payment',
    why: 'a repeat of it is compared with them',
  },
  {
    what: 'tombstones of tokens, with keyed digests',
    why: 'so that an import does not bring them back',
  },
  {
    what: 'the audit trail, with a keyed digest of the name',
    why: 'security; it cannot be changed',
  },
  {
    what: 'the API log',
    why: 'it hides values, and ends by itself',
  },
] as const;
