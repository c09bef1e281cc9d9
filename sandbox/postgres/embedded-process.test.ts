import { expect, test } from 'vitest';
import { parseLockFile } from './embedded-process.ts';

const onSocket = '4711\n/srv/data\n1795804800\n5432\n/srv/data\n\n 4325448      2\nready   \n';
const onPort = '4711\n/srv/data\n1795804800\n40123\n\n127.0.0.1\n 4325448      2\nready   \n';

test('a whole lock file tells where the server listens', () => {
  expect(parseLockFile(onPort)).toEqual({ processId: 4711, port: 40_123, isStarting: false });
  expect(parseLockFile(onSocket)).toEqual({ processId: 4711, port: undefined, isStarting: false });
});

test.each([
  ['starting', true],
  ['stopping', false],
  ['standby ', false],
  ['', false],
])('a server that is not ready (%j) has no port', (state, isStarting) => {
  expect(parseLockFile(onPort.replace('ready   ', state))).toEqual({ processId: 4711, port: undefined, isStarting });
});

test('while the file is being written there is no port in it, wherever it ends', () => {
  for (const whole of [onPort, onSocket]) {
    for (let length = 0; length < whole.indexOf('ready') + 5; length++) {
      const read = parseLockFile(whole.slice(0, length));
      expect(read?.port).toBeUndefined();
      expect([undefined, 4711]).toContain(read?.processId);
    }
  }
});
