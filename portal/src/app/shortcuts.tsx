import { Dialog } from '../parts/dialog.tsx';
import { Facts } from '../parts/page.tsx';
import { useWords } from '../words/words.tsx';
import { MENU } from './nav.ts';
import { useSession } from './session.tsx';

/** The keys that the portal knows. */
export function Shortcuts({ onClose }: { readonly onClose: () => void }) {
  const { t } = useWords();
  const { can } = useSession();
  const places = MENU.flatMap((group) => group.places).filter(({ needs }) => can(needs));
  return (
    <Dialog title={t('shortcuts')} onClose={onClose}>
      <Facts
        facts={[
          [t('goTo'), <kbd key="k">Ctrl K</kbd>],
          [t('shortcuts'), <kbd key="?">?</kbd>],
          ...places.map(
            ({ title, letter }) =>
              [
                t(title),
                <span key={letter}>
                  <kbd>g</kbd> <kbd>{letter}</kbd>
                </span>,
              ] as const,
          ),
        ]}
      />
    </Dialog>
  );
}
