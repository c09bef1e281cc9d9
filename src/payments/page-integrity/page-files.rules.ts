import { integrityOf } from '../../kit/secret.ts';
import type { PageAssets } from '../page/page.types.ts';
import { PINNED_FILES } from './pinned-files.rules.ts';

/**
 * What is wrong with the files that payers' browsers load: each has the digest that this version was built with, and there are
 * no others (PCI DSS 4.0.1, 6.4.3). Undefined where nothing is.
 */
export function pageFilesComplaint(assets: PageAssets): string | undefined {
  const names = new Set([...Object.keys(PINNED_FILES), ...assets.keys()]);
  const wrong = [...names].filter((name) => {
    const found = assets.get(name);
    const pinned = PINNED_FILES[name];
    return found === undefined || found.integrity !== pinned || integrityOf(found.content) !== pinned;
  });
  if (wrong.length === 0) return undefined;
  return (
    `What payers' browsers load is not what this version was built with: ${wrong.join(', ')} in dist/checkout. ` +
    'Find out who changed it before you install the package anew: see docs/operating/incident.md.'
  );
}
