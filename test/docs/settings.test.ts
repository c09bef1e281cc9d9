import { expect, test } from 'vitest';
import { readConfig } from '../../src/config.ts';
import { CONNECTIONS } from '../../src/db/server/open-database.ts';
import { BadSetting } from '../../src/kit/settings/setting-values.ts';
import { createMetrics } from '../../src/wiring/metrics/metrics.ts';
import { listPages, readPage } from './pages.ts';

/** The settings, as the refusal of an unknown one lists them. */
function settingNames(): string[] {
  try {
    readConfig({ KONTOR_NO_SUCH_SETTING: 'x' });
  } catch (error) {
    if (!(error instanceof BadSetting)) throw error;
    return (error.message.match(/KONTOR_\w+/g) ?? []).filter((name) => name !== 'KONTOR_NO_SUCH_SETTING');
  }
  throw new Error('an unknown setting was taken');
}

test('the page of settings has every setting, and no other', () => {
  const rows = [...readPage('docs/operating/settings.md').matchAll(/^\| `(KONTOR_\w+)`/gm)].map(([, name]) => name);
  expect(rows.toSorted()).toEqual(settingNames().toSorted());
});

test('no page names a setting that there is not', () => {
  const known = new Set(settingNames());
  // The prefix itself is a word too.
  const named = listPages().flatMap((page) => readPage(page).match(/KONTOR_[A-Z]\w*/g) ?? []);
  expect(named.filter((name) => !known.has(name))).toEqual([]);
});

test('the defaults on the page are those of the code', () => {
  const defaults = new Map(
    [...readPage('docs/operating/settings.md').matchAll(/^\| `(KONTOR_\w+)` \|.*\| `([^`|]*)` \|$/gm)].map(
      ([, name = '', value = '']) => [name, value],
    ),
  );
  const literal = [...defaults].filter(([name]) => name !== 'KONTOR_DATABASE_OWNER_URL');
  expect(literal.length).toBeGreaterThan(7);
  expect(readConfig(Object.fromEntries(literal))).toEqual(readConfig({}));
});

test('the page of metrics has every metric, and no other', async () => {
  const metrics = createMetrics();
  metrics.watchLog(() => 0);
  metrics.watchPools(() => ({
    reads: NO_STATS,
    changes: NO_STATS,
    money: NO_STATS,
    background: NO_STATS,
    reports: NO_STATS,
  }));
  metrics.watchQueue(() => ({ length: 0, oldestMs: 0 }));
  metrics.watchLedger(async () => ({ overdueHoldSeconds: 0 }));
  metrics.watchEvents(async () => ({ unplacedSeconds: 0, undeliveredSeconds: 0, suspendedWebhooks: 0, givenUp: 0 }));
  metrics.watchAcquirers({ states: () => [], openAttempts: async () => [] });
  metrics.watchSetAside(async () => []);
  metrics.watchDatabase({
    attemptSeconds: async () => 0,
    standbyWaitSeconds: async () => 0,
    snapshotSeconds: async () => 0,
    lastVerification: async () => undefined,
    oldestKeySeconds: async () => 0,
    numbersUsed: async () => 0,
    overdueSeconds: async () => [['end-orders', 0]],
    settlements: async () => ({ openDifferences: 0, untoldDays: 0, pressingDisputes: 0 }),
  });
  const names = [...(await metrics.text()).matchAll(/^# TYPE (\w+)/gm)].map(([, name = '']) => name);
  const page = pagesOfMetrics();
  const named = page.match(/\b(kontor|process|nodejs)_[a-z0-9_]+\b/g) ?? [];
  const documented = new Set(named.map((name) => name.replace(/_(bucket|count|sum)$/, '')));
  // Only some systems tell these.
  const optional = ['process_virtual_memory_bytes', 'process_heap_bytes', 'process_open_fds', 'process_max_fds'];
  expect([...documented].filter((name) => !optional.includes(name)).toSorted()).toEqual(
    names.filter((name) => !optional.includes(name)).toSorted(),
  );
});

test('each metric of the service itself has an alert', () => {
  const page = pagesOfMetrics();
  for (const [, name = ''] of page.matchAll(/^##+ `(\w+)`$/gm)) {
    expect(page).toMatch(new RegExp(`expr: .*${name}`));
  }
});

function pagesOfMetrics(): string {
  return ['metrics', 'metrics-of-acquirers'].map((name) => readPage(`docs/operating/${name}.md`)).join('\n');
}

const NO_STATS = { size: 0, open: 0, idle: 0, waiting: 0 };

test('the page about the database says how many connections an instance uses', () => {
  const sum = Object.values(CONNECTIONS).reduce((a, b) => a + b);
  expect(readPage('docs/operating/database.md')).toContain(`An instance uses up to ${sum} connections`);
});
