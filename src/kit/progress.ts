const BAR_CHARACTERS = 24;

/** How far a piece of work is, for a terminal: a bar, the share in percent and the count. */
export function progressBar({ done, total }: { readonly done: number; readonly total: number }): string {
  const share = total === 0 ? 1 : Math.min(done / total, 1);
  const filled = Math.floor(share * BAR_CHARACTERS);
  const bar = '#'.repeat(filled) + '-'.repeat(BAR_CHARACTERS - filled);
  return `[${bar}] ${Math.floor(share * 100)} %, ${done} of ${total}`;
}
