import { actorOf } from '../../http/actor.ts';
import { apiRoute } from '../../http/route.ts';
import type { ApiRoute } from '../../http/route.types.ts';
import { NoParams, NoQuery } from '../../kit/schemas.wire.ts';
import { BalanceAnswer } from '../account-answers.wire.ts';
import { BalanceBody } from '../account-bodies.wire.ts';
import { sentIdentifier } from '../account-requests.http.ts';
import type { AccountRoutesOptions } from '../accounts.types.ts';
import { ACCOUNT_PAYMENTS } from '../new-payment.http.ts';
import { ACCOUNT_PATH, balanceAnswer } from '../payment-answers.http.ts';
import { askBalance, type BalanceParts } from './ask-balance.flow.ts';

/** The endpoint that tells a balance, and the id of the account behind a number. */
export function balanceRoutes({
  context,
  baseUrl,
  isExempt,
  ...parts
}: BalanceParts & Pick<AccountRoutesOptions, 'baseUrl' | 'isExempt'>): ApiRoute[] {
  return [
    apiRoute({
      method: 'POST',
      path: `${ACCOUNT_PATH}/balance`,
      scope: 'accounts',
      signed: true,
      operationId: 'askAccountBalance',
      tag: ACCOUNT_PAYMENTS,
      summary: "Ask for an account's balance and its id",
      shape: { params: NoParams, query: NoQuery, body: BalanceBody, answer: BalanceAnswer },
      handle: async (request) => {
        const { payeeId, body, remoteAddress } = request;
        const question = {
          payeeId,
          actor: actorOf(request),
          identifier: sentIdentifier(body.accountIdentifier),
          isLimited: !isExempt(remoteAddress),
        };
        const account = await askBalance({ ...parts, context }, question);
        return balanceAnswer(account, { issuers: context.issuers, baseUrl: baseUrl() });
      },
    }),
  ];
}
