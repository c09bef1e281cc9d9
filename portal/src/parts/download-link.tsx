import { Download } from 'lucide-react';
import { linkTo } from '../api/call.ts';
import type { Endpoint, Input } from '../api/endpoints.types.ts';
import { useWords } from '../words/words.tsx';

interface DownloadLinkProps<E extends Endpoint> {
  readonly endpoint: E;
  readonly input: Input<E>;
}

/** Downloads a table. */
export function DownloadLink<E extends Endpoint>({ endpoint, input }: DownloadLinkProps<E>) {
  const { t } = useWords();
  return (
    <a className="button" href={linkTo(endpoint, input)} download>
      <Download size={16} aria-hidden /> {t('downloadCsv')}
    </a>
  );
}
