/** Milliseconds between two looks at a payment whose outcome is not known yet. */
const LOOK_MS = 2000;

/** Shows what came of a payment as soon as that is known. */
export function waitForOutcome(): void {
  const look = async (): Promise<void> => {
    try {
      const answer = await fetch(`${location.pathname}/state`, { headers: { accept: 'application/json' } });
      const { state } = (await answer.json()) as { readonly state?: string };
      if (state !== undefined && state !== 'pending') return location.reload();
    } catch {
      // The next look may get through.
    }
    setTimeout(look, LOOK_MS);
  };
  setTimeout(look, LOOK_MS);
}
