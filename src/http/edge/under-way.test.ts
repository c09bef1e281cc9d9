import { beforeEach, describe, expect, test } from 'vitest';
import { type Counted, createUnderWay, type UnderWay } from './under-way.ts';

let underWay: UnderWay;
beforeEach(() => {
  underWay = createUnderWay({ ofNetwork: 2, ofCredential: 3 });
});

function from(address: string): Counted {
  const request: Counted = { client: { address }, countedFor: undefined };
  underWay.enter(request);
  return request;
}

const REFUSED = expect.objectContaining({ code: 'unavailable', retryAfterSeconds: 1 });

describe('requests under way', () => {
  test('are so many from one network, and one more once another one has ended', () => {
    const first = from('2001:db8::1');
    from('2001:db8::2');
    expect(() => from('2001:db8::3')).toThrow(REFUSED);
    from('2001:db9::1');
    underWay.leave(first);
    underWay.leave(first);
    from('2001:db8::3');
    expect(() => from('2001:db8::3')).toThrow(REFUSED);
  });

  test('count for their credential alone once that is known', () => {
    const own = [1, 2, 3].map(() => {
      const request = from('192.0.2.1');
      underWay.identify(request, 'a');
      return request;
    });
    const next = from('192.0.2.1');
    expect(() => underWay.identify(next, 'a')).toThrow(REFUSED);
    underWay.identify(next, 'b');
    underWay.leave(own[0] as Counted);
    underWay.identify(from('192.0.2.1'), 'a');
    from('192.0.2.1');
    from('192.0.2.1');
  });

  test('are not counted any more once they were given up', () => {
    const late = from('192.0.2.1');
    underWay.leave(late);
    for (let found = 0; found < 5; found++) underWay.identify(late, 'a');
    for (let sent = 0; sent < 3; sent++) underWay.identify(from('192.0.2.1'), 'a');
  });

  test('have no bound where it is 0', () => {
    underWay = createUnderWay({ ofNetwork: 0, ofCredential: 0 });
    for (let sent = 0; sent < 10; sent++) underWay.identify(from('192.0.2.1'), 'a');
  });
});
