import type { Transact } from '../db/transaction.types.ts';
import { STAN_BLOCK } from '../kit/limits.ts';
import { retrievalReferenceOf } from './exchanges.rules.ts';
import { takeStanBlock } from './exchanges.ts';
import type { Asker } from './issuers.types.ts';

interface Parts {
  readonly transact: Transact;
  /** ISO 8601 in UTC. */
  readonly now: () => string;
}

/** Makes the naming of messages to acquirers. Their numbers come in blocks: one round trip for a hundred of a terminal. */
export function exchangeMaker({ transact, now }: Parts): Asker['newExchange'] {
  const blocks = new Map<string, Promise<Block>>();
  async function nextStan(acquirerId: string, terminalId: string): Promise<string> {
    const key = `${acquirerId} ${terminalId}`;
    for (;;) {
      const block = await (blocks.get(key) ?? take(key, acquirerId, terminalId));
      if (block.left > 0) {
        block.left -= 1;
        return String(block.first + STAN_BLOCK - 1 - block.left).padStart(6, '0');
      }
      // The first that finds it empty takes the next one; the others wait for that.
      if ((await blocks.get(key)) === block) blocks.delete(key);
    }
  }
  function take(key: string, acquirerId: string, terminalId: string): Promise<Block> {
    const taken = transact(async (transaction) => ({
      first: await takeStanBlock(transaction, { acquirerId, terminalId }),
      left: STAN_BLOCK,
    }));
    blocks.set(key, taken);
    taken.catch(() => blocks.delete(key));
    return taken;
  }
  return async ({ acquirer, terminalIds }, retrievalReference) => {
    const [terminalId = ''] = terminalIds;
    const stan = await nextStan(acquirer, terminalId);
    const sentAt = `${now().slice(0, 19)}Z`;
    return {
      acquirerId: acquirer,
      terminalId,
      stan,
      sentAt,
      retrievalReference: retrievalReference ?? retrievalReferenceOf(sentAt, stan),
    };
  };
}

interface Block {
  readonly first: number;
  left: number;
}
