import { actorOf } from '../../http/actor.ts';
import { portalRoute } from '../../http/portal-route.ts';
import type { AnyPortalRoute } from '../../http/portal-route.types.ts';
import { notFound } from '../../kit/errors.ts';
import { isUuid, type PayeeId } from '../../kit/ids.ts';
import { NoQuery } from '../../kit/schemas.wire.ts';
import { DisputeChanged, DisputeOfPayeeParams, StepBody, StepsAnswer } from '../portal-settlements.wire.ts';
import type { PortalActs, SettlementContext } from '../settlements.types.ts';
import { stepsFrom } from './disputes.rules.ts';
import { selectDispute } from './disputes.store.ts';

const TAG = 'Settlement';
const STEPS = '/portal/api/payees/:payeeId/disputes/:disputeId/steps';

/** What a person does with a dispute: the same as `kontor disputes`. */
export function portalDisputeRoutes(context: SettlementContext, { acts, weighAct }: PortalActs): AnyPortalRoute[] {
  const { read } = context.database.background;
  const stepsOf = async (payeeId: PayeeId, disputeId: string) => {
    const found = isUuid(disputeId) ? await selectDispute({ run: read }, payeeId, disputeId) : undefined;
    if (found === undefined) throw notFound();
    return { steps: [...stepsFrom(found.state)] };
  };
  return [
    portalRoute({
      method: 'GET',
      path: STEPS,
      operationId: 'listDisputeSteps',
      tag: TAG,
      summary: 'List what can be done with a dispute now',
      shape: { params: DisputeOfPayeeParams, query: NoQuery, body: undefined, answer: StepsAnswer },
      handle: ({ payeeId, params: { disputeId } }) => stepsOf(payeeId, disputeId),
    }),
    portalRoute({
      method: 'POST',
      path: STEPS,
      operationId: 'changeDispute',
      tag: TAG,
      summary:
        'Accept, represent or close a dispute; much that is let go waits for another person. The acquirer is told nothing',
      shape: { params: DisputeOfPayeeParams, query: NoQuery, body: StepBody, answer: DisputeChanged },
      handle: async (request) => {
        const { payeeId, params, body } = request;
        if (!isUuid(params.disputeId)) throw notFound();
        const person = { actor: actorOf(request), isReauthenticated: request.user.isReauthenticated };
        const approval = await weighAct(acts.dispute, { payeeId, params, body }, person);
        return { ...(await stepsOf(payeeId, params.disputeId)), approval: approval ?? null };
      },
    }),
  ];
}
