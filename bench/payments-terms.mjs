/** What the measurements of payments have in common. */
export const ACCOUNTS = 1000;
export const CONNECTIONS = 64;
export const WARM_UP_SECONDS = 3;
/** Until some ten thousand requests are done, the compiler works as much as the service, and on the same cores. */
export const COMPILED_AFTER_SECONDS = 20;

/** What the service stores of a request like the load generator's, for others to store as well. */
export const ECHO = {
  accountIdentifier: { accountKey: '957801******0001', expiryDate: '12/39' },
  words: { merchant: { merchantName: 'Bench' } },
  circumstances: { transmissionTime: '2030-01-01T00:00:00.000Z', payerAddress: '127.0.0.1' },
  allowedProductIds: [],
  issuer: 'ledger',
  card: { matches: true, numberMasked: '957801******0001', expiryMonth: '2039-12' },
};
