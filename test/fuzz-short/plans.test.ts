import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { beforeAll, expect, it } from 'vitest';
import { ACQUIRER_BUGS, BUGS, MODULES, ORDER_BUGS } from '../support/crash/money-bugs.ts';
import { CHECKOUT } from '../support/database/embedded.ts';
import { FUZZ_BUGS } from '../support/prober/fuzz-bugs.ts';
import { spoilValue } from '../support/prober/fuzz-faults.ts';

// What the long runs need, so that they do not end for a reason of their own.

beforeAll(() => {
  execFileSync(process.execPath, ['scripts/ensure-built.mjs'], { cwd: CHECKOUT });
});

it.each([...FUZZ_BUGS, ...BUGS, ...ACQUIRER_BUGS, ...ORDER_BUGS])(
  'the mistake has its places in the built service: $name',
  ({ patches }) => {
    for (const { file, line } of patches) {
      const places = readFileSync(join(CHECKOUT, MODULES, file), 'utf8').split(line).length - 1;
      expect({ file, line, places }).toEqual({ file, line, places: 1 });
    }
  },
);

const name = fc.constantFrom('', '0', '01', ' 1', '1e0', '-0', 'length', '__proto__', 'one');
const at = fc.nat(63);
const value = fc.constantFrom<unknown>(null, 1, 'text', [], {}, [{ inner: [1] }], { one: { two: [] } });
const fault = fc.oneof(
  fc.record({ is: fc.constant('value' as const), at, value }),
  fc.record({ is: fc.constant('address' as const), at, value: fc.constant('http://127.0.0.1/') }),
  fc.record({ is: fc.constant('missing' as const), at }),
  fc.record({ is: fc.constant('member' as const), at, name, value }),
);

it('a fault may be put into what an earlier one has put there', () => {
  const bodies = fc.constantFrom<unknown>(undefined, {}, { list: [{ url: 'x' }], text: 'a' }, [[], [1, { a: 1 }]]);
  fc.assert(
    fc.property(bodies, fc.array(fault, { maxLength: 6 }), (body, faults) => void spoilValue(body, faults)),
    {
      numRuns: 2_000,
    },
  );
});
