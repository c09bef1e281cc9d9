import { startThreeDS } from '../../../src/issuers/authentication/serving.ts';
import type { ThreeDS } from '../../../src/issuers/authentication/three-ds.types.ts';
import type { Issuer, Issuers } from '../../../src/issuers/issuers.types.ts';
import type { IssuerAnswer, IssuerHost, IssuerQuestion } from '../../../src/issuers/questions.types.ts';
import type { PayeeId } from '../../../src/kit/ids.ts';
import { createBackground } from '../../../src/kit/work/background.ts';
import { composePayments } from '../../../src/payments/compose.ts';
import { serverOf } from '../prober/routes-server.ts';
import { sendTo, type TestService } from '../service.ts';

/** A service whose test cards are decided on by an issuer that answers as a test says. */
export interface ScriptedIssuer {
  readonly issuers: Issuers;
  readonly kontor: TestService;
  /** What it was asked, in order. */
  readonly questions: readonly IssuerQuestion[];
  /** The next questions are answered so, one each; all others with an approval that names a payment of the scheme. */
  answerNext(...answers: readonly (IssuerAnswer | typeof SILENCE)[]): void;
  stop(): Promise<void>;
}

/** No answer comes. */
export const SILENCE = 'Silence';

/** What a scheme calls a payment in a test: its number among the questions. */
export const schemeId = (number: number) => `SCHEME-${number}`;

/** Acquirers that answer as a test says. */
export interface ScriptedAcquirers extends Pick<ScriptedIssuer, 'questions' | 'answerNext'> {
  readonly issuers: Issuers;
}

/**
 * The issuers of a test's service, whose test cards are decided on as a test says.
 *
 * @param failoverCodes of the sandbox's acquirer; with them there is another one behind it, named `second`
 * @param termsOf what else an acquirer is, now
 */
export function scriptedAcquirers(
  issuers: Issuers,
  failoverCodes?: readonly string[],
  termsOf: (issuerId: string) => Partial<Issuer> = () => ({}),
): ScriptedAcquirers {
  const questions: IssuerQuestion[] = [];
  const next: (IssuerAnswer | typeof SILENCE)[] = [];
  const host: IssuerHost = {
    async ask(question) {
      questions.push(question);
      const { retrievalReference } = question.exchange;
      const references = { retrievalReference, schemeTransactionId: schemeId(questions.length) };
      const answer = next.shift();
      if (answer === SILENCE) throw new Error('no answer');
      return answer ?? { outcome: 'Approved', responseCode: '000', approvalCode: 'A00001', references };
    },
    reverse: async () => ({ outcome: 'TakenBack' }),
  };
  const ids = failoverCodes === undefined ? ['sandbox'] : ['sandbox', 'second'];
  const named = (issuerId: string): Issuer => {
    if (!ids.includes(issuerId)) return issuers.named(issuerId);
    const sandbox = issuers.named('sandbox');
    const agreementsOf = (payeeId: PayeeId) =>
      sandbox.agreementsOf(payeeId).map((agreement) => ({ ...agreement, id: issuerId, acquirer: issuerId }));
    return { ...sandbox, issuerId, agreementsOf, failoverCodes: failoverCodes ?? [], host, ...termsOf(issuerId) };
  };
  const routesOf: Issuers['routesOf'] = (payeeId, wanted) =>
    issuers.routesOf(payeeId, wanted).flatMap((route) =>
      ids.flatMap((id) => {
        const issuer = named(id);
        return issuer.agreementsOf(payeeId).map((agreement) => ({ ...route, issuer, agreement }));
      }),
    );
  return {
    issuers: {
      ...issuers,
      named,
      routesOf,
      get all() {
        return ids.map(named);
      },
    },
    questions,
    answerNext: (...answers) => void next.push(...answers),
  };
}

/**
 * Starts a second server of a test's service, whose card payments ask an issuer that the test scripts.
 *
 * @param options as of `scriptedAcquirers`
 * @param options.threeDSOf what 3-D Secure is there, of what it is in the service
 * @param options.mode of card payments there: `production` judges cards as no sandbox does
 */
export async function scriptedIssuer(
  kontor: TestService,
  {
    failoverCodes,
    termsOf,
    threeDSOf = (threeDS) => threeDS,
    mode = 'sandbox',
  }: {
    failoverCodes?: readonly string[];
    termsOf?: (issuerId: string) => Partial<Issuer>;
    threeDSOf?: (threeDS: ThreeDS) => ThreeDS;
    mode?: 'sandbox' | 'production';
  } = {},
): Promise<ScriptedIssuer> {
  const { service, config } = kontor;
  const { cardPayments, database } = service;
  const { issuers, questions, answerNext } = scriptedAcquirers(cardPayments.issuers, failoverCodes, termsOf);
  const payments = composePayments({
    ...cardPayments,
    issuers,
    threeDS: () => {
      const current = cardPayments.threeDS();
      return current && threeDSOf(current);
    },
    config: { ...config, mode },
    database,
  });
  const threeDS = await startThreeDS(
    service.slices.threeDS,
    createBackground(() => undefined),
    () => undefined,
  );
  const slices = { ...service.slices, payments };
  const { app } = await serverOf({ config, service: { ...service, slices }, baseUrl: kontor.baseUrl });
  const baseUrl = await app.listen({ host: '127.0.0.1', port: 0 });
  return {
    // Links name the first server: where they lead is asked of the second one.
    kontor: { ...kontor, send: (method, path, options) => sendTo(baseUrl, kontor, { method, path, ...options }) },
    issuers,
    questions,
    answerNext,
    stop: async () => {
      await app.close();
      await threeDS.stop();
    },
  };
}
