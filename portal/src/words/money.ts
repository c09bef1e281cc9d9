/** Currencies whose number of decimals is not two (ISO 4217). Browsers round some others, so theirs is never asked. */
const DECIMALS: Readonly<Record<string, number>> = Object.fromEntries(
  [
    ['BIF CLP DJF GNF ISK JPY KMF KRW PYG RWF UGX UYI VND VUV XAF XOF XPF', 0] as const,
    ['BHD IQD JOD KWD LYD OMR TND', 3] as const,
    ['CLF UYW', 4] as const,
  ].flatMap(([codes, decimals]) => codes.split(' ').map((code) => [code, decimals])),
);

/** How many decimals a currency has: 2 for NOK, 0 for JPY. */
export const decimalsOf = (currency: string): number => DECIMALS[currency] ?? 2;

/** An amount as people write it, 12.5, in the smallest unit, 1250. */
export const toMinor = (amount: number, currency: string): number => Math.round(amount * 10 ** decimalsOf(currency));

/** An amount in the smallest unit, 1250, as people write it, 12.5. */
export const fromMinor = (amountMinor: number, currency: string): number => amountMinor / 10 ** decimalsOf(currency);
