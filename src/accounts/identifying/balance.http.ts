import { actorOf } from '../../http/actor.ts';
import { apiRoute } from '../../http/route.ts';
import type { ApiRoute } from '../../http/route.types.ts';
import { Refusal } from '../../kit/errors.ts';
import { BalanceAnswer, NoParams, NoQuery } from '../account-answers.wire.ts';
import { BalanceBody } from '../account-bodies.wire.ts';
import { sentIdentifier } from '../account-requests.http.ts';
import type { AccountRoutesOptions } from '../accounts.types.ts';
import { ACCOUNT_PAYMENTS } from '../new-payment.http.ts';
import { ACCOUNT_PATH, balanceAnswer } from '../payment-answers.http.ts';
import { checkBalance, findForBalance } from './ask-balance.ts';
import { countLookUp } from './limit-look-ups.ts';

/** The endpoint that tells a balance, and the id of the account behind a number. */
export function balanceRoutes({ transact, context, baseUrl, isExempt }: AccountRoutesOptions): ApiRoute[] {
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
        const found = await transact((transaction) => findForBalance(transaction, context, question));
        const account = await checkBalance(context, question, found);
        if (account instanceof Refusal) {
          await transact((transaction) => countLookUp(transaction, question));
          throw account;
        }
        return balanceAnswer(account, { issuers: context.issuers, baseUrl: baseUrl() });
      },
    }),
  ];
}
