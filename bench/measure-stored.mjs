/** Whether authorizing stays as fast when many payments are stored: beside a small shop, in turn. */
import { join } from 'node:path';
import { ACCOUNTS, CONNECTIONS, ECHO, WARM_UP_SECONDS } from './payments-terms.mjs';
import { median } from './report.mjs';
import { authorize, openShop } from './shop.mjs';
import { storePayments } from './stored-payments.mjs';

const SMALL = 10_000;
/** The large shop grows through these, as far as it may. */
const SIZES = [1_000_000, 10_000_000];

/**
 * @param {{folder: string, rounds: number, seconds: number, payments: number}} options `payments`: the largest size
 * @returns for each size: authorizations a second of both shops, the ratio, and what it took to load the size
 */
export async function measureStored({ folder, rounds, seconds, payments }) {
  const small = await openShop(join(folder, 'small'), { accounts: ACCOUNTS });
  let large;
  try {
    await storePayments(small, { from: 1, to: SMALL, echo: ECHO });
    large = await openShop(join(folder, 'large'), { accounts: ACCOUNTS });
    const sizes = [...SIZES.filter((size) => size < payments), payments];
    const results = [];
    for (const [index, size] of sizes.entries()) {
      const startedAt = performance.now();
      const bytes = await storePayments(large, { from: (sizes[index - 1] ?? 0) + 1, to: size, echo: ECHO });
      const loadSeconds = (performance.now() - startedAt) / 1000;
      results.push({
        size,
        loadSeconds,
        gibibytes: bytes / 2 ** 30,
        ...(await compare({ small, large, rounds, seconds })),
      });
    }
    return results;
  } finally {
    await large?.close();
    await small.close();
  }
}

async function compare({ small, large, rounds, seconds }) {
  const run = async ({ grouped, accounts }, duration) =>
    (await authorize(grouped, accounts, { connections: CONNECTIONS, seconds: duration })).perSecond;
  for (const shop of [small, large]) await run(shop, WARM_UP_SECONDS);
  const results = [];
  for (let round = 0; round < rounds; round++) {
    results.push({ small: await run(small, seconds), large: await run(large, seconds) });
  }
  return {
    smallPerSecond: median(results.map((round) => round.small)),
    largePerSecond: median(results.map((round) => round.large)),
    ratio: median(results.map((round) => round.large / round.small)),
    ratios: results.map((round) => round.large / round.small),
  };
}
