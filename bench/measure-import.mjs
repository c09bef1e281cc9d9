/** Importing a migration file: lines a second, and whether the memory stays the same while it goes on. */
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { bareLinesPerSecond } from './bare-import.mjs';
import { runKontor, startKontor } from './kontor.mjs';
import { median } from './report.mjs';
import { writeTokens } from './tokens.mjs';

/** Beyond the tokens that the reads were measured with. */
const FIRST_LINE = 10_000;
/** Samples of the memory that are taken together: one alone depends on when the garbage was last collected. */
const SAMPLES = 20;

/** @param {{folder: string, lines: number}} options */
export async function measureImport({ folder, lines }) {
  const file = join(folder, 'import.ndjson');
  await writeTokens(file, { from: FIRST_LINE, lines });
  const dataDir = join(folder, 'data');
  // Beside the running service, as an operator would.
  const kontor = await startKontor(dataDir);
  const run = await runKontor(dataDir, ['tokens', 'import', file, '--json']).finally(kontor.stop);
  const { printed, seconds, processorMs, memory } = run;
  const barePerSecond = await bareLinesPerSecond(file);
  await rm(file);
  const { imported } = JSON.parse(printed);
  if (imported !== lines) throw new Error(`${imported} of ${lines} lines were imported.`);
  return {
    lines,
    seconds,
    linesPerSecond: lines / seconds,
    barePerSecond,
    share: lines / seconds / barePerSecond,
    processorUs: (processorMs * 1000) / lines,
    residentMibAtAFifth: residentMibAt(memory, 0.2),
    residentMibAtTheEnd: residentMibAt(memory, 1),
    largestResidentMib: Math.max(...memory),
  };
}

function residentMibAt(memory, share) {
  const end = Math.floor(memory.length * share);
  return median(memory.slice(Math.max(end - SAMPLES, 0), end));
}
