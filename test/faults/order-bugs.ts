import type { Bug, OrderBug } from '../support/crash/money-bugs.ts';

/** A mistake that kills in the middle of a reversal over three gift cards and a card find. */
export const THREE_GIFT_CARDS_BUG: OrderBug = {
  name: 'the third gift card of a transaction is forgotten',
  moment: 'decided by the acquirer, and not heard of',
  finding: /^service: reverse: /,
  patches: [
    {
      file: 'orders/changes/follow-up-order.rules.js',
      line: '    for (const part of waiting.parts) {\n',
      instead: '    for (const part of waiting.parts.filter((_part, index) => index !== 2)) {\n',
    },
  ],
};

/** A mistake that kills find while payers choose at the bank. */
export const BANK_BUG: Bug = {
  name: 'a process takes results of those payers alone whom it has sent to the bank',
  finding: /^Approved: a card alone: it is Initialized, not Paid$/,
  patches: [
    {
      file: 'issuers/authentication/directory.flow.js',
      line: '    const directory = server.directoryServers.find((known) => known.scheme === scheme);\n',
      instead:
        '    const directory = server.directoryServers.find((known) => known.scheme === scheme);\n    (globalThis.sent ??= new Set()).add(serverTransactionId);\n',
    },
    {
      file: 'issuers/authentication/directory.flow.js',
      line: '    const { message: result } = read;\n',
      instead:
        "    const { message: result } = read;\n    if (!globalThis.sent?.has(result.serverTransactionId)) return resultAnswer(result, '01');\n",
    },
  ],
};

/** A mistake that kills find while jobs end orders. */
export const JOB_BUG: Bug = {
  name: 'what a process was at when it was killed is set aside at once',
  finding: /^an order expires: no job ends it any more$/,
  patches: [
    {
      file: 'db/rows-at-work.js',
      line: "const CRASHES = 'known.crashes + known.is_under_way::integer';\n",
      instead: "const CRASHES = 'known.crashes + 99 * known.is_under_way::integer';\n",
    },
  ],
};
