import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { CARD_PROBLEMS } from '../../src/kit/cards/card-problems.ts';

describe('docs/account-payments.md', () => {
  it('has every code of a decline, and no other', () => {
    const page = readFileSync('docs/account-payments.md', 'utf8');
    const [, section = ''] = page.split('## Declines');
    const [table = ''] = section.split('## In the sandbox');
    const told = [...table.matchAll(/^\| `([a-z0-9]+)` \|/gm)].map(([, code]) => code);
    expect(told.sort()).toEqual(Object.keys(CARD_PROBLEMS).sort());
  });
});
