import { useNavigate } from '@tanstack/react-router';
import { CircleUser } from 'lucide-react';
import { useState } from 'react';
import { Header, Menu, MenuItem, MenuSection, MenuTrigger, Popover } from 'react-aria-components';
import { call } from '../api/call.ts';
import { signOut } from '../api/operations.generated.ts';
import { forgetSessionEnd } from '../api/session-end.ts';
import { Button } from '../parts/button.tsx';
import { LOCALES, type Locale } from '../words/locales.ts';
import { useWords } from '../words/words.tsx';
import { useSession } from './session.tsx';
import { keepTheme, readTheme, type Theme } from './theme.ts';

/** Who is signed in, how the portal looks and speaks, and the way out. */
export function AccountMenu({ onShortcuts }: { readonly onShortcuts: () => void }) {
  const { t, locale, setLocale } = useWords();
  const { session, setSession } = useSession();
  const navigate = useNavigate();
  const [theme, setTheme] = useState(readTheme);
  return (
    <MenuTrigger>
      <Button kind="quiet" icon={<CircleUser size={20} aria-hidden />} aria-label={t('yourAccount')} />
      <Popover className="popover" placement="bottom end">
        <Menu className="menu" aria-label={t('yourAccount')}>
          <MenuSection className="menu-section">
            <Header className="menu-header">
              {session.name} · {t(session.role)}
            </Header>
            <MenuItem className="menu-item" onAction={() => void navigate({ to: '/account' })}>
              {t('yourAccount')}
            </MenuItem>
            <MenuItem className="menu-item" onAction={onShortcuts}>
              {t('shortcuts')}
            </MenuItem>
          </MenuSection>
          <MenuSection
            className="menu-section"
            selectionMode="single"
            disallowEmptySelection
            selectedKeys={[theme]}
            onSelectionChange={(keys) => {
              const [chosen = 'system'] = keys as Set<Theme>;
              keepTheme(chosen);
              setTheme(chosen);
            }}
          >
            <Header className="menu-header">{t('theme')}</Header>
            {(['system', 'light', 'dark'] as const).map((id) => (
              <MenuItem key={id} id={id} className="menu-item">
                {t(id)}
              </MenuItem>
            ))}
          </MenuSection>
          <MenuSection
            className="menu-section"
            selectionMode="single"
            disallowEmptySelection
            selectedKeys={[locale]}
            onSelectionChange={(keys) => {
              const [chosen = locale] = keys as Set<Locale>;
              setLocale(chosen);
            }}
          >
            <Header className="menu-header">{t('language')}</Header>
            {Object.entries(LOCALES).map(([id, name]) => (
              <MenuItem key={id} id={id} className="menu-item">
                {name}
              </MenuItem>
            ))}
          </MenuSection>
          <MenuSection className="menu-section" aria-label={t('signOut')}>
            <MenuItem className="menu-item" onAction={() => void leave().then(() => setSession(null))}>
              {t('signOut')}
            </MenuItem>
          </MenuSection>
        </Menu>
      </Popover>
    </MenuTrigger>
  );
}

/** Ends the session, or finds it ended; either way the user need not be told why. */
async function leave(): Promise<void> {
  await call(signOut, {}).catch(() => undefined);
  forgetSessionEnd();
}
