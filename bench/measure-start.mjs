/** From the start of the process until it answers that it is ready: on nothing, and on what the first start has made. */
import { chmod, mkdtemp, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { startKontor } from './kontor.mjs';
import { median } from './report.mjs';

/** @param {{folder: string, rounds: number}} options */
export async function measureStart({ folder, rounds }) {
  const first = [];
  const again = [];
  for (let round = 0; round < rounds; round++) {
    const home = await mkdtemp(join(folder, 'start-'));
    await chmod(home, 0o711);
    for (const times of [first, again]) {
      // As `npm start` does.
      const kontor = await startKontor(join(home, 'data'), { flags: [] });
      times.push(kontor.readyMs / 1000);
      await kontor.stop();
    }
    await rm(home, { recursive: true });
  }
  return { firstSeconds: median(first), againSeconds: median(again) };
}
