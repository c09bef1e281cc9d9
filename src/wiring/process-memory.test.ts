import { expect, test } from 'vitest';
import { memoryComplaint } from './process-memory.ts';

const CLEAN = { options: [], hasDebugger: false, dumpsCore: false };

test.each([
  '--inspect',
  '--inspect-brk=0.0.0.0:9229',
  '--inspect_port=0',
  '--heapsnapshot-signal=SIGUSR2',
  '--heapsnapshot_near_heap_limit=1',
  '--heap-prof',
  '--report-on-signal',
  '--report-uncaught-exception',
  '--report_on_fatalerror',
  '--abort-on-uncaught-exception',
  '--abort_on_uncaught_exception',
])('an option that tells the memory is named: %s', (option) => {
  const complaint = memoryComplaint({ ...CLEAN, options: ['--enable-source-maps', option] });
  const [name = ''] = option.replaceAll('_', '-').split('=');
  expect(complaint).toContain(`Node was started with ${name}, and keys`);
  expect(complaint).toContain('KONTOR_ALLOW_MEMORY_DUMPS=true');
});

test('other options are not', () => {
  const options = ['', '--max-old-space-size=4096', '--disallow-code-generation-from-strings', '--enable-source-maps'];
  expect(memoryComplaint({ ...CLEAN, options })).toBeUndefined();
});

test('a debugger, and a limit of core dumps that is not 0, are named with what to do', () => {
  expect(memoryComplaint({ ...CLEAN, hasDebugger: true })).toMatch(/^A debugger can be attached .* without --inspect/);
  expect(memoryComplaint({ ...CLEAN, dumpsCore: true })).toMatch(/^A crash would write .* Set ulimit -c 0/);
});
