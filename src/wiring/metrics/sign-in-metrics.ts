import type { Logger } from 'pino';
import { Counter, type Registry } from 'prom-client';
import type { SignInListener } from '../../portal-users/portal-users.types.ts';

/** Counts how sign-ins to the portal end. */
export function signInMetrics(registry: Registry): SignInListener {
  const signIns = new Counter({
    name: 'kontor_portal_sign_ins_total',
    help: 'Sign-ins to the portal, by what they came to.',
    labelNames: ['outcome'] as const,
    registers: [registry],
  });
  const closed = new Counter({
    name: 'kontor_portal_users_closed_total',
    help: 'Portal users who were closed, because wrong codes came with their password.',
    registers: [registry],
  });
  return { ended: (outcome) => signIns.inc({ outcome }), closed: () => closed.inc() };
}

/** Tells the metrics and the log. */
export function signInEvents(log: Pick<Logger, 'warn'>, metrics: SignInListener): SignInListener {
  return {
    ended: metrics.ended,
    closed({ payeeId, userId }) {
      metrics.closed({ payeeId, userId });
      log.warn(
        { payeeId, userId },
        'A portal user was closed: ten wrong codes came with the right password in a day. Others know the password.',
      );
    },
  };
}
