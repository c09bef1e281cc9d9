import type { Secret } from '../../kit/secret.ts';
import type { SealedBatch } from './bulk.types.ts';
import type { WrittenCards } from './card-lines.ts';

const UUID = /^[0-9a-f-]{36}$/;

/**
 * The batches of a file that is sealed to a printer, without what is sealed. A last line without its end was being written when the run was
 * cut off.
 *
 * @returns undefined where the file is something else
 */
export function sealedBatches(
  content: Secret,
): readonly { readonly batch: SealedBatch; readonly end: number }[] | undefined {
  const batches: { batch: SealedBatch; end: number }[] = [];
  let end = 0;
  for (const line of content.reveal().split('\n').slice(0, -1)) {
    end += line.length + 1;
    const batch = readBatch(line);
    if (batch === undefined) return undefined;
    batches.push({ batch, end });
  }
  return batches;
}

/** The cards of such a file as far as they are in the clear; where one is not the last of its batch, the file has no end there. */
export function readSealedCards(content: Secret): WrittenCards | undefined {
  const batches = sealedBatches(content);
  if (batches === undefined) return undefined;
  const cards = batches.flatMap(({ batch: { accounts, balance, currency } }) =>
    accounts.map((accountId) => ({ accountId, balance, currency })),
  );
  const ends = batches.flatMap(({ batch: { accounts }, end }) => [
    ...Array.from({ length: accounts.length - 1 }, () => undefined),
    end,
  ]);
  return { cards, ends: [0, ...ends] };
}

function readBatch(line: string): SealedBatch | undefined {
  const value = parse(line);
  if (typeof value !== 'object' || value === null) return undefined;
  const batch = value as Partial<SealedBatch>;
  const isWhole =
    batch.version === 1 &&
    Number.isSafeInteger(batch.balance) &&
    Array.isArray(batch.accounts) &&
    batch.accounts.length > 0 &&
    batch.accounts.every((account) => UUID.test(String(account))) &&
    [batch.format, batch.currency, batch.key, batch.iv, batch.tag, batch.data].every((one) => typeof one === 'string');
  return isWhole ? (batch as SealedBatch) : undefined;
}

function parse(line: string): unknown {
  try {
    return JSON.parse(line);
  } catch {
    return undefined;
  }
}
