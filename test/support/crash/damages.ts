import { expect, test } from 'vitest';

/** What is done to the database and undone, the invariant that breaks, and the row that is named. */
export type Damage = [name: string, damage: () => string, repair: () => string, invariant: RegExp, row: () => string];

/** Where damage is done. */
export interface Damaged {
  /** Runs SQL with every right. */
  run(sql: string): Promise<unknown>;
  /** The invariants that are broken, each with the first row that breaks it. */
  broken(): Promise<Readonly<Record<string, string>>>;
}

/** A test for each kind of damage: it is found, its first row is named, and nothing else is wrong once it is undone. */
export function testDamages(damages: readonly Damage[], { run, broken }: Damaged): void {
  test.each(damages)('%s', async (...[, damage, repair, invariant, row]) => {
    await run(damage());
    const found = Object.entries(await broken());
    await run(repair());
    expect(found).toContainEqual([expect.stringMatching(invariant), expect.stringContaining(row())]);
    expect(await broken()).toEqual({});
  });
}
