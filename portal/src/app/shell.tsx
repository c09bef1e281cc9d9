import { Outlet, useLocation } from '@tanstack/react-router';
import { Menu as MenuIcon, Search } from 'lucide-react';
import { useEffect, useRef, useState } from 'react';
import { Dialog as AriaDialog, Modal, ModalOverlay } from 'react-aria-components';
import { Button } from '../parts/button.tsx';
import { useWords } from '../words/words.tsx';
import { AccountMenu } from './account-menu.tsx';
import { Palette } from './palette.tsx';
import { PasswordPrompt } from './password-prompt.tsx';
import { useSession } from './session.tsx';
import { Shortcuts } from './shortcuts.tsx';
import { Sidebar } from './sidebar.tsx';
import { useKeys } from './use-keys.ts';
import { WrongCodes } from './wrong-codes.tsx';

type Open = 'menu' | 'palette' | 'shortcuts' | undefined;

/** What surrounds every screen of a signed-in user. */
export function Shell() {
  const { t } = useWords();
  const { session } = useSession();
  const [open, setOpen] = useState<Open>();
  const main = useRef<HTMLElement>(null);
  useKeys({ onPalette: () => setOpen('palette'), onHelp: () => setOpen('shortcuts') });
  useFocusOnNewScreen(main);
  const close = () => setOpen(undefined);
  return (
    <>
      <a className="skip" href="#main">
        {t('skipToContent')}
      </a>
      {session.mode === 'sandbox' && (
        <aside className="ribbon" aria-label={t('sandbox')}>
          {t('sandboxRibbon')}
        </aside>
      )}
      <div className="shell">
        <Sidebar />
        <div>
          <header className="topbar">
            <Button
              className="menu-button"
              kind="quiet"
              icon={<MenuIcon size={20} aria-hidden />}
              aria-label={t('menu')}
              onPress={() => setOpen('menu')}
            />
            <Button
              className="search-button"
              icon={<Search size={16} aria-hidden />}
              onPress={() => setOpen('palette')}
            >
              {t('goTo')}
              <kbd aria-hidden>Ctrl K</kbd>
            </Button>
            <AccountMenu onShortcuts={() => setOpen('shortcuts')} />
          </header>
          <main id="main" className="main" tabIndex={-1} ref={main}>
            <WrongCodes />
            <Outlet />
          </main>
        </div>
      </div>
      {open === 'menu' && <Drawer onClose={close} />}
      {open === 'palette' && <Palette onClose={close} onShortcuts={() => setOpen('shortcuts')} />}
      {open === 'shortcuts' && <Shortcuts onClose={close} />}
      <PasswordPrompt />
    </>
  );
}

/** A user who came by keyboard or hears the page starts at the top of a new screen. */
function useFocusOnNewScreen(main: React.RefObject<HTMLElement | null>) {
  const { pathname } = useLocation();
  const previous = useRef(pathname);
  useEffect(() => {
    if (previous.current !== pathname) main.current?.focus();
    previous.current = pathname;
  }, [pathname, main]);
}

function Drawer({ onClose }: { readonly onClose: () => void }) {
  const { t } = useWords();
  return (
    <ModalOverlay className="overlay" data-drawer isOpen isDismissable onOpenChange={(isOpen) => isOpen || onClose()}>
      <Modal className="drawer">
        <AriaDialog aria-label={t('menu')}>
          <Sidebar onLeave={onClose} />
        </AriaDialog>
      </Modal>
    </ModalOverlay>
  );
}
