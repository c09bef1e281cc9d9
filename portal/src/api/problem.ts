/** What a request ended with when it did not succeed: the service's problem details, or that no answer came. */
export class Problem extends Error {
  /** The last part of the problem's type, such as `notfound`; `network` where no answer came. */
  readonly code: string;
  readonly status: number;
  /** Whether the issuer of a card answered so: it was asked, and said no. */
  readonly isOfCard: boolean;
  readonly title: string;
  readonly detail: string;
  /** What to name when asking for help; absent where no answer came. */
  readonly sessionId: string | undefined;
  readonly problems: readonly { readonly name: string; readonly description: string }[];
  /** Seconds, where the service said when to try again. */
  readonly retryAfter: number | undefined;

  constructor(status: number, details: ProblemDetails, retryAfter?: number) {
    super(details.title ?? `The answer was ${status}.`);
    this.status = status;
    this.code = details.type?.split('/').at(-1) ?? 'network';
    this.isOfCard = details.type?.includes('/creditcard/') ?? false;
    this.title = details.title ?? '';
    this.detail = details.detail ?? '';
    this.sessionId = details.sessionId;
    this.problems = details.problems ?? [];
    this.retryAfter = retryAfter;
  }

  /** Whether what was asked for waits until another person agrees: it is no error, and it is not done. */
  get awaitsApproval(): boolean {
    return this.code === 'awaitingapproval';
  }

  /** Whether the service asks for the password once more before it does this. */
  get asksForPassword(): boolean {
    return this.status === 403 && this.problems.some(({ name }) => name === 'reauthentication');
  }
}

interface ProblemDetails {
  readonly type?: string;
  readonly title?: string;
  readonly detail?: string;
  readonly sessionId?: string;
  readonly problems?: readonly { readonly name: string; readonly description: string }[];
}

/** The body of an answer, as JSON. @throws Problem where the status says so */
export async function readAnswer<Answer>(answer: Response): Promise<Answer> {
  const text = await answer.text();
  const body: unknown = text === '' ? {} : parse(text);
  if (answer.ok) return body as Answer;
  const retryAfter = Number(answer.headers.get('retry-after') ?? Number.NaN);
  throw new Problem(answer.status, body as ProblemDetails, Number.isNaN(retryAfter) ? undefined : retryAfter);
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    // Something in between answered in the service's place.
    return { title: text.slice(0, 200) };
  }
}

/** `fetch` to this service. @throws Problem with the code `network` where no answer came */
export async function send(address: string, init: RequestInit): Promise<Response> {
  try {
    return await fetch(address, init);
  } catch (error) {
    if (error instanceof DOMException && error.name === 'AbortError') throw error;
    throw new Problem(0, {});
  }
}

/** What a page throws whose act waits for another person: the dialog says so and closes. */
export const awaitsApproval = (): Problem => new Problem(202, { type: 'awaitingapproval' });
