import { readdirSync, readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { names as danish } from '../../locales/portal-names-da-DK.ts';
import { names as english } from '../../locales/portal-names-en-US.ts';
import { names as finnish } from '../../locales/portal-names-fi-FI.ts';
import { names as norwegian } from '../../locales/portal-names-nb-NO.ts';
import { names as swedish } from '../../locales/portal-names-sv-SE.ts';
import type { MovementKind, Side } from '../../src/ledger/ledger.types.ts';
import type { CardTransaction } from '../../src/payments/payments.types.ts';
import type { ListedTransaction } from '../../src/portal/story.types.ts';
import type { Archiver, TokenType } from '../../src/tokens/tokens.types.ts';

/** What the service calls things: a name that English lacks is a type error here, one that another language lacks there. */
type Named<Raw extends string> = Readonly<Record<Raw, string>>;
const GROUPS = {
  movement: english.movement satisfies Named<MovementKind>,
  side: english.side satisfies Named<Side>,
  transaction: english.transaction satisfies Named<ListedTransaction['type']>,
  state: english.state satisfies Named<CardTransaction['state'] | 'OK' | 'FAILED' | 'REVERSED'>,
  tokenType: english.tokenType satisfies Named<TokenType>,
  archiver: english.archiver satisfies Named<Archiver>,
};

const SOURCES = readdirSync('src', { recursive: true, encoding: 'utf8' })
  .filter((path) => path.endsWith('.ts') && !path.endsWith('.test.ts'))
  .map((path) => readFileSync(`src/${path}`, 'utf8'));

const inSources = (pattern: RegExp): ReadonlySet<string> =>
  new Set(SOURCES.flatMap((source) => [...source.matchAll(pattern)].map(([, found = '']) => found)));

/** Actions that are put together from an operation or a step. */
const MADE_ACTIONS = [
  ...['authorize', 'purchase', 'deposit', 'credit', 'capture', 'cancel', 'reversal'].map((verb) => `${verb}-payment`),
  ...Object.keys(english.step).map((step) => `${step.toLowerCase()}-gift-card`),
  ...['sign-in', 'reauthenticate'].flatMap((action) => [action, `refuse-${action}`]),
];
/** Actions that stand in the source: as a member, after `note(`, in a choice, or in a table. */
const WRITTEN_ACTIONS = inSources(
  /(?:\baction(?::| =)[^;'`]{0,40}|isOver \? |isDisabled \? '[a-z-]+' : |: |note\([^()']*, )'([a-z]+(?:-[a-z]+)+)'/g,
);

describe('the names that the portal shows', () => {
  test('have every action of the audit trail, and no other', () => {
    const literal = inSources(/\baction: '([a-z-]+)'/g);
    expect(literal.size).toBeGreaterThan(40);
    const missing = [...literal, ...MADE_ACTIONS].filter((action) => !Object.hasOwn(english.action, action));
    expect(missing, 'add it to locales/portal-names-*.ts').toEqual([]);
    const unknown = Object.keys(english.action).filter(
      (action) => !WRITTEN_ACTIONS.has(action) && !MADE_ACTIONS.includes(action),
    );
    expect(unknown, 'nothing writes it').toEqual([]);
  });

  test('have every action of a table of actions', () => {
    const tables = SOURCES.flatMap((source) =>
      [...source.matchAll(/const ACTIONS: [^=]*= \{([^}]*)\}/g)].map(([, rows = '']) => rows),
    );
    const actions = tables.flatMap((rows) => [...rows.matchAll(/'([a-z-]+)'/g)].map(([, action = '']) => action));
    expect(actions.length).toBeGreaterThanOrEqual(5);
    for (const action of actions) expect(english.action).toHaveProperty([action]);
  });

  test('have every kind of object', () => {
    const kinds = [...inSources(/\b(?:objectKind|resourceKind): '([a-z-]+)'/g)];
    expect(kinds.length).toBeGreaterThan(10);
    for (const kind of kinds) expect(english.object).toHaveProperty([kind]);
  });

  test('have every event of a payment', () => {
    const events = [...inSources(/'(?:card-)?payment\.([a-z-]+)'/g)].filter(
      // Names of members of the request that a refusal is about.
      (event) => !['currency', 'prices'].includes(event) && !/[A-Z]/.test(event),
    );
    expect(events.length).toBeGreaterThan(15);
    for (const event of events) expect(english.event, event).toHaveProperty([event]);
  });

  test.each(Object.entries({ danish, finnish, norwegian, swedish }))('are words in %s', (_, others) => {
    for (const [group, texts] of Object.entries(others)) {
      expect(Object.keys(texts)).toEqual(Object.keys(english[group as keyof typeof english]));
      for (const [raw, text] of Object.entries(texts)) {
        expect(text.trim(), `${group} ${raw}`).not.toBe('');
        expect(text, `${group} ${raw}`).not.toMatch(/^[a-z]+-[a-z-]+$/);
      }
    }
    expect(Object.keys(GROUPS).every((group) => Object.hasOwn(others, group))).toBe(true);
  });
});
