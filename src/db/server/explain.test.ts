import { DatabaseError } from 'pg';
import { expect, it } from 'vitest';
import { explained } from './explain.ts';
import { StatementFailed } from './failures.ts';

it('tells who runs a command that the disk is full, in place of a stack', async () => {
  const full = Object.assign(new DatabaseError('could not extend file', 0, 'error'), { code: '53100' });
  const work = explained(() => Promise.reject(new StatementFailed('insert-lines', full)));
  await expect(work).rejects.toMatchObject({
    name: 'Trouble',
    message: expect.stringMatching(/^The disk of PostgreSQL is full\. Make room there, .*insert-lines: 53100/),
  });
});
