import type { Config } from '../config.ts';
import { isLoopback } from '../kit/addresses/network.ts';
import { BadSetting } from '../kit/settings/setting-values.ts';
import { Trouble } from '../kit/work/trouble.ts';
import { pageAssets } from '../payments/page-integrity/page-assets.adapter.ts';
import { pageFilesComplaint } from '../payments/page-integrity/page-files.rules.ts';

/**
 * What `serve` refuses to start with: links that lead past a proxy that speaks TLS, and in production clear text to the network.
 * What it asks of the database and of the key file is checked where these are opened.
 *
 * @throws BadSetting
 */
export function checkExposure(config: Config): void {
  if (config.tlsTerminated && config.publicUrl?.startsWith('https:') !== true) {
    throw new BadSetting(
      'KONTOR_TLS_TERMINATED=true needs KONTOR_PUBLIC_URL, with https: the links in answers must lead to the proxy, ' +
        'as in https://pay.example.com.',
    );
  }
  if (config.mode !== 'production' || isLoopback(config.host) || config.tls !== undefined || config.tlsTerminated)
    return;
  throw new BadSetting(
    'Production does not speak clear text to the network. Set KONTOR_TLS_CERT and KONTOR_TLS_KEY, or ' +
      'KONTOR_TLS_TERMINATED=true where a proxy in front of this process speaks TLS.',
  );
}

/**
 * Refuses to start production with files of the payment page that are not those of this version: before anything is started, and
 * not at the first payer. In the sandbox they are changed to see what comes of it.
 *
 * @throws Trouble that names them
 */
export function checkPageFiles({ mode }: Pick<Config, 'mode'>): void {
  const complaint = mode === 'production' ? pageFilesComplaint(pageAssets()()) : undefined;
  if (complaint !== undefined) throw new Trouble(complaint);
}
