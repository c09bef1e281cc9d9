import { describe, expect, test } from 'vitest';
import { traceparentOf } from '../../kit/work/trace.ts';
import { readTraceparent } from './arrive.ts';

const TRACE_ID = '4bf92f3577b34da6a3ce929d0e0e4736';
const PARENT_ID = '00f067aa0ba902b7';

describe('a traceparent', () => {
  test.each([
    [`00-${TRACE_ID}-${PARENT_ID}-01`, true],
    [`00-${TRACE_ID}-${PARENT_ID}-00`, false],
    // Flags that we do not know.
    [`00-${TRACE_ID}-${PARENT_ID}-fe`, false],
    [`00-${TRACE_ID}-${PARENT_ID}-03`, true],
    // Later versions, with what we know at its place.
    [`01-${TRACE_ID}-${PARENT_ID}-01`, true],
    [`cc-${TRACE_ID}-${PARENT_ID}-01-more`, true],
    [`cc-${TRACE_ID}-${PARENT_ID}-01-`, true],
  ])('%s is taken over', (header, isSampled) => {
    expect(readTraceparent(header)).toEqual({ traceId: TRACE_ID, spanId: expect.any(String), isSampled });
  });

  test.each([
    undefined,
    '',
    'nonsense',
    `ff-${TRACE_ID}-${PARENT_ID}-01`,
    `00-${'0'.repeat(32)}-${PARENT_ID}-01`,
    `00-${TRACE_ID}-${'0'.repeat(16)}-01`,
    `00-${TRACE_ID.toUpperCase()}-${PARENT_ID}-01`,
    `00-${TRACE_ID.slice(1)}-${PARENT_ID}-01`,
    `00-${TRACE_ID}-${PARENT_ID}`,
    `00-${TRACE_ID}-${PARENT_ID}-1`,
    `00-${TRACE_ID}-${PARENT_ID}-01-more`,
    `cc-${TRACE_ID}-${PARENT_ID}-01.more`,
    `00-${TRACE_ID}-${PARENT_ID}-01, 00-${TRACE_ID}-${PARENT_ID}-01`,
  ])('%j is no trace', (header) => {
    expect(readTraceparent(header)).toBeUndefined();
  });

  test('makes us the parent of what we call', () => {
    const header = `00-${TRACE_ID}-${PARENT_ID}-ff`;
    const sent = [readTraceparent(header), readTraceparent(header)].map((trace) => trace && traceparentOf(trace));
    for (const outgoing of sent) {
      expect(outgoing).toMatch(new RegExp(`^00-${TRACE_ID}-[0-9a-f]{16}-01$`));
      expect(outgoing).not.toContain(PARENT_ID);
    }
    expect(new Set(sent).size).toBe(2);
  });
});
