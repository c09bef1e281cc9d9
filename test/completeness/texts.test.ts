import { Type } from 'typebox';
import { expect, test } from 'vitest';
import { type Check, schemaChecker } from '../../src/http/body/validate.ts';
import { withoutIds } from '../../src/http/document/schemas.ts';
import { BODY_BYTES } from '../../src/kit/limits.ts';
import { describeRoutes } from '../../src/wiring/describe-api.ts';
import { textsOfRoutes } from '../support/prober/texts.ts';

/** What texts are made of that a pattern looks at for long, or in which a scan for card numbers finds much. */
const PUMPS = ['1', '4 9 2 5-', '4925000000000004 ', 'a.', 'a@', '-', ' ', '%41', '2026-', 'é'];
/** How much longer than to count its characters, at both ends of its schema and without blanks, a text may take. */
const MOST_TIMES = 6;
/** Measurements before a text counts as slow: others use the processor too, and the quickest one counts. */
const MEASUREMENTS = 20;

const { apiRoutes, portalRoutes } = describeRoutes();
const compile = schemaChecker(() => ['9578']);
const count = compile(Type.String({ maxLength: 1 }));
const texts = new Map(
  textsOfRoutes([...apiRoutes, ...portalRoutes]).map((text) => [JSON.stringify(text.schema), text]),
);

test('the texts of all requests are found', () => {
  expect(texts.size).toBeGreaterThan(60);
});

test.each([...texts.values()].map(({ name, schema }) => [name, schema] as const))(
  'a text that is far too long for %s costs what counting it costs',
  (_name, schema) => {
    const check = compile(withoutIds(schema));
    for (const pump of PUMPS) {
      const text = pump.repeat(BODY_BYTES / pump.length);
      expect(isSlow(check, text), `${JSON.stringify(schema)} with ${JSON.stringify(pump)}`).toBe(false);
    }
  },
);

function isSlow(check: Check, text: string): boolean {
  let [counted, checked] = [Number.POSITIVE_INFINITY, Number.POSITIVE_INFINITY];
  for (let measured = 0; measured < MEASUREMENTS; measured++) {
    counted = Math.min(counted, measure(count, text));
    checked = Math.min(checked, measure(check, text));
    if (checked < MOST_TIMES * counted) return false;
  }
  return true;
}

function measure(check: Check, text: string): number {
  const from = performance.now();
  check(text);
  return performance.now() - from;
}
