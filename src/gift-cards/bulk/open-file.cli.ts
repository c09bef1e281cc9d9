import { command, needed } from '../../kit/command.ts';
import { Trouble } from '../../kit/work/trouble.ts';
import type { CardsRuntime } from './bulk.types.ts';
import { sealedBatches } from './sealed-lines.ts';

/** `gift-cards open-file`, which the printer runs: it needs no database and no key ring. */
export const openFile = command({
  name: 'open-file',
  about: 'open a file of cards that was sealed to a key (gift-cards issue --to)',
  args: ['file'],
  takes: {
    file: needed('<file>', 'the sealed file'),
    key: needed('<file>', 'the private key, in PEM'),
    out: needed('<file>', 'takes the cards; only its owner may read it'),
  },
  json: 'print {"cards"}',
  run: async ({ openCardFile, readSealedFile, readPrivateKey }: CardsRuntime, { file: path, key, out: outPath }) => {
    const open = await readPrivateKey(key);
    const batches = sealedBatches(await readSealedFile(path));
    if (!batches?.length) throw new Trouble(`${path} is no file of cards that was sealed to a key.`);
    // All of it, before there is a file with a part of it.
    const opened = batches.map(({ batch }) => open(batch));
    const out = await openCardFile(outPath);
    try {
      if (out.content.reveal() !== '') throw new Trouble(`${outPath} is there. Name another file.`);
      for (const lines of opened) {
        await out.append(lines);
        out.confirm();
      }
    } finally {
      await out.close();
    }
    return { cards: batches.reduce((sum, { batch }) => sum + batch.accounts.length, 0) };
  },
  show: ({ cards }, { out }) => `${cards} cards are in ${out}.`,
});
