/** Card payments as a shop makes them, and the page that their payers open. */
import { get } from 'node:http';
import { join } from 'node:path';
import { brotliCompressSync } from 'node:zlib';
import { ACCOUNTS, CONNECTIONS, WARM_UP_SECONDS } from './payments-terms.mjs';
import { median, printGoal, printValue } from './report.mjs';
import { authorize, makeCardPayments, openShop } from './shop.mjs';

/** Pages that one client opens, one after the other, for each round. */
const PAGES = 200;
/** What the page loads: of itself and what it names. */
const LOADED = /<(?:link[^>]+rel="(?:stylesheet|icon)"[^>]*|script|img)[^>]*? (?:href|src)="([^"]+)"/g;

/**
 * Making a payment writes one, as an authorization does; so they are compared in the same run.
 *
 * @param {{folder: string, rounds: number, seconds: number}} options
 * @returns payments made a second, the ratio to authorizations, milliseconds until the page's first byte, and its weight
 */
export async function measurePage({ folder, rounds, seconds }) {
  const shop = await openShop(join(folder, 'page'), { accounts: ACCOUNTS });
  try {
    const load = (duration) => ({ connections: CONNECTIONS, seconds: duration });
    await makeCardPayments(shop.grouped, load(WARM_UP_SECONDS));
    await authorize(shop.grouped, shop.accounts, load(WARM_UP_SECONDS));
    const results = [];
    for (let round = 0; round < rounds; round++) {
      const made = await makeCardPayments(shop.grouped, load(seconds));
      const authorized = await authorize(shop.grouped, shop.accounts, load(seconds));
      const firstByteMs = await openPages(await newPage(shop.grouped));
      results.push({ made, authorized, firstByteMs, ratio: made.perSecond / authorized.perSecond });
    }
    return {
      perSecond: median(results.map(({ made }) => made.perSecond)),
      p99Ms: median(results.map(({ made }) => made.p99Ms)),
      authorizationsPerSecond: median(results.map(({ authorized }) => authorized.perSecond)),
      ratio: median(results.map(({ ratio }) => ratio)),
      firstByteMs: median(results.map(({ firstByteMs }) => firstByteMs)),
      weight: await weigh(await newPage(shop.grouped)),
    };
  } finally {
    await shop.close();
  }
}

export function reportPage({ perSecond, p99Ms, authorizationsPerSecond, ratio, firstByteMs, weight }) {
  printValue(`Making card payments, ${CONNECTIONS} connections, a second`, perSecond);
  printValue('  99 % of them within, milliseconds', p99Ms);
  printValue('  authorizations of accounts, as many connections, a second', authorizationsPerSecond);
  printGoal('  times the authorizations', ratio, { atLeast: 0.5 });
  printGoal('First byte of the payment page, median, milliseconds', firstByteMs, { below: 10 });
  for (const { what, kilobytes } of weight.files) printValue(`  ${what}, kB`, kilobytes);
  printGoal('  all of the page, uncompressed, kB', weight.kilobytes, { below: 50 });
  printValue('  the same with Brotli, kB', weight.compressedKilobytes);
}

/** A payment that can be paid, and where its payer does so. */
async function newPage({ baseUrl, accessToken }) {
  const answer = await fetch(`${baseUrl}/psp/creditcard/payments`, {
    method: 'POST',
    headers: { authorization: `Bearer ${accessToken}`, 'content-type': 'application/json' },
    body: JSON.stringify({
      payment: {
        operation: 'Purchase',
        intent: 'Authorization',
        currency: 'NOK',
        prices: [{ type: 'CreditCard', amount: 24_900, vatAmount: 4_980 }],
        description: 'A box of tea',
        userAgent: 'Mozilla/5.0',
        language: 'nb-NO',
        urls: { completeUrl: 'https://shop.example/done', cancelUrl: 'https://shop.example/basket' },
        payeeInfo: { payeeName: 'The tea shop' },
      },
    }),
  });
  const { operations } = await answer.json();
  return operations.find(({ rel }) => rel === 'redirect-authorization').href;
}

/** The median of the time until the answer begins, over one connection. */
export async function openPages(url) {
  const times = [];
  for (let page = 0; page < PAGES; page++) {
    const startedAt = performance.now();
    times.push(
      await new Promise((resolve, reject) => {
        get(url, (response) => {
          const firstByteMs = performance.now() - startedAt;
          if (response.statusCode !== 200) reject(new Error(`The page was answered with ${response.statusCode}.`));
          response.resume().once('end', () => resolve(firstByteMs));
        }).once('error', reject);
      }),
    );
  }
  return median(times);
}

/** How much a browser loads to show the page: 1 kB is 1000 bytes. */
export async function weigh(url) {
  const page = await (await fetch(url)).text();
  const addresses = [...page.matchAll(LOADED)].map(([, address]) => address).filter((one) => !one.startsWith('data:'));
  const files = [{ what: 'the page itself', bytes: Buffer.from(page) }];
  for (const address of new Set(addresses)) {
    const answer = await fetch(new URL(address, url));
    if (!answer.ok) throw new Error(`${address} was answered with ${answer.status}.`);
    files.push({ what: address, bytes: Buffer.from(await answer.arrayBuffer()) });
  }
  const sum = (size) => files.reduce((bytes, file) => bytes + size(file), 0) / 1000;
  return {
    files: files.map(({ what, bytes }) => ({ what, kilobytes: bytes.length / 1000 })),
    kilobytes: sum(({ bytes }) => bytes.length),
    compressedKilobytes: sum(({ bytes }) => brotliCompressSync(bytes).length),
  };
}
