import { expect, test } from 'vitest';
import type { Acquirer } from './acquirers.types.ts';
import { findingOf } from './probe-acquirer.flow.ts';

const acquirer = { id: 'north' } as Acquirer;

test('a line that the host ends may be one too many beside the service', () => {
  const { level, text } = findingOf(acquirer, { because: 'it ended the line', reason: 'Ended' });
  expect(level).toBe('problem');
  expect(text).toMatch(
    /^Acquirer north: not connected: it ended the line\. If the service is connected to it, .* stopped\.$/,
  );
});

test('a host that does not listen is not said to have too many lines', () => {
  const { text } = findingOf(acquirer, { because: 'nothing listens there', reason: 'NothingListens' });
  expect(text).toBe('Acquirer north: not connected: nothing listens there.');
});
