const BAR_CHARACTERS = 24;

/**
 * How far a piece of work is, for a terminal: a bar and the share in percent.
 *
 * @param share from 0 to 1
 */
export function progressBar(share: number): string {
  const filled = Math.floor(share * BAR_CHARACTERS);
  return `[${'#'.repeat(filled)}${'-'.repeat(BAR_CHARACTERS - filled)}] ${Math.floor(share * 100)} %`;
}
