import type { Command } from 'commander';
import { Trouble } from '../../kit/work/trouble.ts';
import type { CardsRuntime } from './bulk.types.ts';
import { sealedBatches } from './sealed-lines.ts';

interface OpenOptions {
  readonly key: string;
  readonly out: string;
  readonly json?: true;
}

/** Adds `gift-cards open-file`, which the printer runs: it needs no database and no key ring. */
export function addOpenFile(
  cards: Command,
  { openCardFile, readSealedFile, readPrivateKey, print }: CardsRuntime,
): void {
  cards
    .command('open-file')
    .description('open a file of cards that was sealed to a key (gift-cards issue --to)')
    .argument('<file>', 'the sealed file')
    .requiredOption('--key <file>', 'the private key, in PEM')
    .requiredOption('--out <file>', 'takes the cards; only its owner may read it')
    .option('--json', 'print {"cards"}')
    .action(async (path: string, options: OpenOptions) => {
      const open = await readPrivateKey(options.key);
      const batches = sealedBatches(await readSealedFile(path));
      if (!batches?.length) throw new Trouble(`${path} is no file of cards that was sealed to a key.`);
      // All of it, before there is a file with a part of it.
      const opened = batches.map(({ batch }) => open(batch));
      const out = await openCardFile(options.out);
      try {
        if (out.content.reveal() !== '') throw new Trouble(`${options.out} is there. Name another file.`);
        for (const lines of opened) {
          await out.append(lines);
          out.confirm();
        }
      } finally {
        await out.close();
      }
      const count = batches.reduce((sum, { batch }) => sum + batch.accounts.length, 0);
      print(options.json ? JSON.stringify({ cards: count }) : `${count} cards are in ${options.out}.`);
    });
}
