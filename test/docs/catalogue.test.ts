import { readdirSync, readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { ACTION_CATALOGUE } from '../../src/journal/actions.rules.ts';
import { EVENT_CATALOGUE, EVENT_TYPES } from '../../src/journal/events.rules.ts';
import { describeApi } from '../../src/wiring/describe-api.ts';
import { PROJECT, readPage } from './pages.ts';

/** What the sources say beside the catalogues themselves. */
const SOURCES = readdirSync(`${PROJECT}/src`, { recursive: true, encoding: 'utf8' })
  .filter(
    (path) => path.endsWith('.ts') && !path.endsWith('.test.ts') && !/journal\/(actions|events)\.rules/.test(path),
  )
  .map((path) => readFileSync(`${PROJECT}/src/${path}`, 'utf8'))
  .join('\n');

/** The rows of a table as they must stand on a page. */
const rowsOn = (page: string, columns: number): string[] =>
  readPage(page)
    .split('\n')
    .filter(
      (line) =>
        /^\| `[a-z.-]+` \|/.test(line) && line.split('|').length === columns + 2 && /\| \d+\.\d+\.\d+ \|/.test(line),
    );

describe('the catalogue of events', () => {
  test('is the table of docs/webhooks.md', () => {
    const rows = EVENT_TYPES.map(
      (type) => `| \`${type}\` | ${EVENT_CATALOGUE[type].since} | ${EVENT_CATALOGUE[type].when} |`,
    );
    expect(rowsOn('docs/webhooks.md', 3)).toEqual(rows);
  });

  test('is the section webhooks of the OpenAPI document', async () => {
    const { webhooks } = describeApi() as { webhooks: Readonly<Record<string, { post: { summary: string } }>> };
    const said = Object.entries(webhooks).map(([type, { post }]) => [type, `${post.summary}.`]);
    expect(said).toEqual(EVENT_TYPES.map((type) => [type, EVENT_CATALOGUE[type].when]));
  });

  test('has no type that is never sent', () => {
    expect(EVENT_TYPES.filter((type) => !SOURCES.includes(`'${type}'`))).toEqual([]);
  });

  test('names the resource by the type', () => {
    for (const type of EVENT_TYPES) expect(type.split('.')[0]).toBe(EVENT_CATALOGUE[type].resource);
  });
});

describe('the catalogue of actions', () => {
  test('is the table of docs/audit-trail.md', () => {
    const rows = Object.entries(ACTION_CATALOGUE).map(
      ([action, { object, since, what }]) => `| \`${action}\` | \`${object}\` | ${since} | ${what} |`,
    );
    expect(rowsOn('docs/audit-trail.md', 4)).toEqual(rows);
  });

  test('has no action that is never written', () => {
    expect(
      Object.keys(ACTION_CATALOGUE).filter(
        (action) => !SOURCES.includes(`'${action}'`) && !SOURCES.includes(` ${action}:`),
      ),
    ).toEqual([]);
  });
});

test('the compiler alone says what is an event or an action', () => {
  expect(SOURCES).not.toMatch(/\bas (?:EventType|AuditAction)\b/);
});
