/** Milliseconds in which the same is told once. */
const TOLD_MS = 10_000;
/** Causes that are told apart at once; further ones are told as one. */
const CAUSES = 200;
const OTHERS = 'others';

/** What is told, with how often it happened: the first time at once, further ones after a while, together. */
export type TellMany<Told> = (told: Told, count: number) => void;

/**
 * Makes of many things that have the same cause a few lines: the first is told at once, those of the next ten seconds are told
 * together behind them. During an outage every request fails for the same reason, and a line for each hides all others.
 *
 * @param causeOf a text for each cause
 */
export function oneOfMany<Told>(tell: TellMany<Told>, causeOf: (told: Told) => string): (told: Told) => void {
  /** By cause: what happened since it was told. */
  const since = new Map<string, { count: number; last: Told | undefined }>();
  const tellRest = (cause: string): void => {
    const rest = since.get(cause);
    since.delete(cause);
    if (rest?.last === undefined) return;
    begin(cause);
    tell(rest.last, rest.count);
  };
  const begin = (cause: string): void => {
    since.set(cause, { count: 0, last: undefined });
    setTimeout(tellRest, TOLD_MS, cause).unref();
  };
  return (told) => {
    const own = causeOf(told);
    const cause = since.has(own) || since.size < CAUSES ? own : OTHERS;
    const known = since.get(cause);
    if (known === undefined) {
      begin(cause);
      tell(told, 1);
      return;
    }
    known.count++;
    known.last = told;
  };
}

/** Names of an error and of all its causes, with their messages: the same for each request that fails for the same reason. */
export function causeOf(error: unknown): string {
  if (!(error instanceof Error)) return typeof error;
  const own = `${error.name} ${error.message}`;
  return error.cause === undefined ? own : `${own} < ${causeOf(error.cause)}`;
}
