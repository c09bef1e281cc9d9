import { useSyncExternalStore } from 'react';
import type { Problem } from './problem.ts';

/** What became of a session that was there, for the page on which the person signs in again. */
export interface SessionEnd {
  /** As the service says it; undefined where it does not know. */
  readonly reason: string | undefined;
  /** Whether something was to be changed when it was found out: that was not done. */
  readonly lostChange: boolean;
}

let end: SessionEnd | undefined;
const listeners = new Set<() => void>();

function set(next: SessionEnd | undefined): void {
  end = next;
  for (const listener of listeners) listener();
}

/** Keeps why a session is over. Several requests may find it out, and one of them may have been a change. */
export function noteSessionEnd({ problems }: Problem, isChange: boolean): void {
  set({ reason: problems[0]?.name ?? end?.reason, lostChange: isChange || (end?.lostChange ?? false) });
}

/** The user has signed in, or out by themselves: there is nothing to explain. */
export const forgetSessionEnd = (): void => set(undefined);

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

export const useSessionEnd = (): SessionEnd | undefined => useSyncExternalStore(subscribe, () => end);
