import { actorOf } from '../../http/actor.ts';
import { portalRoute } from '../../http/portal-route.ts';
import type { AnyPortalRoute } from '../../http/portal-route.types.ts';
import { notFound } from '../../kit/errors.ts';
import { isUuid } from '../../kit/ids.ts';
import { NoQuery } from '../../kit/portal.wire.ts';
import { DisputeOfPayeeParams, StepBody, StepsAnswer } from '../portal-settlements.wire.ts';
import type { SettlementService } from '../settlements.types.ts';
import { stepsFrom } from './disputes.rules.ts';
import { selectDispute } from './disputes.store.ts';
import { changeDispute } from './save-dispute.ts';

const TAG = 'Settlement';
const STEPS = '/portal/api/payees/:payeeId/disputes/:disputeId/steps';

/** What a person does with a dispute: the same as `kontor disputes`. */
export function portalDisputeRoutes({
  read,
  transact,
}: Pick<SettlementService, 'read' | 'transact'>): AnyPortalRoute[] {
  return [
    portalRoute({
      method: 'GET',
      path: STEPS,
      operationId: 'listDisputeSteps',
      tag: TAG,
      summary: 'List what can be done with a dispute now',
      shape: { params: DisputeOfPayeeParams, query: NoQuery, body: undefined, answer: StepsAnswer },
      handle: async ({ payeeId, params: { disputeId } }) => {
        const found = isUuid(disputeId) ? await selectDispute({ run: read }, payeeId, disputeId) : undefined;
        if (found === undefined) throw notFound();
        return { steps: [...stepsFrom(found.state)] };
      },
    }),
    portalRoute({
      method: 'POST',
      path: STEPS,
      operationId: 'changeDispute',
      tag: TAG,
      summary: 'Accept, represent or close a dispute: nothing is sent to the acquirer',
      shape: { params: DisputeOfPayeeParams, query: NoQuery, body: StepBody, answer: StepsAnswer },
      handle: async (request) => {
        const { payeeId, params, body } = request;
        if (!isUuid(params.disputeId)) throw notFound();
        const command = { payeeId, disputeId: params.disputeId, step: body.step, actor: actorOf(request) };
        const { state } = await transact((transaction) => changeDispute(transaction, command));
        return { steps: [...stepsFrom(state)] };
      },
    }),
  ];
}
