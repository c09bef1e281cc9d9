import { actorOf } from '../../http/actor.ts';
import { portalRoute } from '../../http/portal-route.ts';
import type { AnyPortalRoute } from '../../http/portal-route.types.ts';
import { inputError } from '../../kit/errors.ts';
import { PayeeParams } from '../../kit/portal.wire.ts';
import { NoQuery } from '../../kit/schemas.wire.ts';
import { erasePayer, erasePersonByEmail, type PayerFlows, readPayer, readPersonByEmail } from './erase-person.flow.ts';
import { shown } from './payers.http.ts';
import { ErasedPersonAnswer, PersonAnswer, PersonBody } from './payers.wire.ts';

/** What people ask of a payee, for its administrators: what is stored of them, and to erase it. */
export function personRoutes(flows: PayerFlows): AnyPortalRoute[] {
  const common = { method: 'POST', tag: 'Payers' } as const;
  const shape = { params: PayeeParams, query: NoQuery, body: PersonBody };
  return [
    portalRoute({
      ...common,
      path: '/portal/api/payees/:payeeId/persons/find',
      operationId: 'findPerson',
      summary: 'Find all that is stored of a payer',
      shape: { ...shape, answer: PersonAnswer },
      handle: async ({ payeeId, body }) => {
        const whom = oneOf(body);
        const found = await ('email' in whom
          ? readPersonByEmail(flows, { payeeId, ...whom })
          : readPayer(flows, { payeeId, ...whom }));
        return shown(found);
      },
    }),
    portalRoute({
      ...common,
      path: '/portal/api/payees/:payeeId/persons/erase',
      operationId: 'erasePerson',
      summary: 'Erase who a payer is',
      shape: { ...shape, answer: ErasedPersonAnswer },
      handle: async (request) => {
        const [whom, by] = [oneOf(request.body), { payeeId: request.payeeId, actor: actorOf(request) }];
        const { erased: counts, at } = await ('email' in whom
          ? erasePersonByEmail(flows, { ...whom, ...by })
          : erasePayer(flows, { ...whom, ...by }));
        const { cardPayments, ...erased } = counts;
        return { erased: { ...erased, payments: cardPayments }, at };
      },
    }),
  ];
}

/** @throws Refusal `inputerror` where a request does not name one payer, once */
function oneOf({
  payerReference,
  email,
}: {
  readonly payerReference?: string;
  readonly email?: string;
}): { readonly payerReference: string } | { readonly email: string } {
  if (payerReference !== undefined && email === undefined) return { payerReference };
  if (email !== undefined && payerReference === undefined) return { email };
  throw inputError('payerReference', 'must be there, or email in its place, and not both');
}
