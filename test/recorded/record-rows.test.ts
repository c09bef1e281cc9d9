import { copyFile, mkdir, readFile, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { expect, test } from 'vitest';
import { refuteBooks } from '../support/crash/books.ts';
import { testService } from '../support/service.ts';
import { signedIn } from '../support/shop/portal.ts';
import { movingClock } from './clock.ts';
import { fill } from './fill.ts';
import { KEPT_FILES, keptFile, writeRows } from './rows.ts';

/** Fills a database and keeps its rows: once for each version whose rows are kept. */
const RECORDS_ROWS = process.env['TEST_RECORD'] === 'rows';

test.runIf(RECORDS_ROWS)(
  'rows are recorded',
  async () => {
    const kontor = await testService({
      KONTOR_REQUESTS_PER_MINUTE: '0',
      KONTOR_PAGES_PER_MINUTE: '0',
      KONTOR_CARD_TESTING_NUMBERS: '0',
    });
    const clock = movingClock(kontor.database);
    try {
      const leaveUnderWay = await fill(kontor, clock);
      const sessions = {
        administrator: (await signedIn(kontor)).cookie,
        operator: (await signedIn(kontor, 'operator')).cookie,
      };
      await writeFile(keptFile('sessions.json'), JSON.stringify(sessions));
      expect(await refuteBooks(kontor)).toEqual([]);
      await kontor.running.stop();
      await leaveUnderWay();
      await mkdir(dirname(keptFile('x')), { recursive: true });
      const sizes = await writeRows(kontor.database);
      process.stdout.write(`${JSON.stringify(sizes)}\n`);
      for (const name of KEPT_FILES) await copyFile(join(kontor.config.dataDir, name), keptFile(name));
      const instant = new Date().toISOString();
      await writeFile(keptFile('instant.txt'), `${instant}\n`);
      expect((await readFile(keptFile('instant.txt'), 'utf8')).trim()).toBe(instant);
    } finally {
      clock.restore();
      await kontor.stop();
    }
  },
  600_000,
);
