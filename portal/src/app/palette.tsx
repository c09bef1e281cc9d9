import { useNavigate } from '@tanstack/react-router';
import { Keyboard, Search, UserRound } from 'lucide-react';
import { type RefObject, useEffect, useRef, useState } from 'react';
import {
  Dialog as AriaDialog,
  Autocomplete,
  Input,
  Menu,
  MenuItem,
  Modal,
  ModalOverlay,
  TextField,
  useFilter,
} from 'react-aria-components';
import { useWords } from '../words/words.tsx';
import { lookUps } from './look-ups.ts';
import { MENU } from './nav.ts';
import { useSession } from './session.tsx';

interface PaletteProps {
  readonly onClose: () => void;
  readonly onShortcuts: () => void;
}

/** Goes anywhere by a few letters, and looks up what was typed: an id, a number or a reference. */
export function Palette({ onClose, onShortcuts }: PaletteProps) {
  const { t } = useWords();
  const { can } = useSession();
  const navigate = useNavigate();
  const { contains } = useFilter({ sensitivity: 'base' });
  const [text, setText] = useState('');
  const box = useRef<HTMLElement>(null);
  useRightReference(box);
  const places = MENU.flatMap((group) => group.places).filter(({ needs }) => can(needs));
  const found = lookUps(text.trim()).filter(({ needs }) => can(needs));
  const act = (id: string) => {
    onClose();
    const lookUp = found.find(({ name }) => name === id);
    if (id === 'shortcuts') onShortcuts();
    else if (lookUp !== undefined) void navigate(lookUp.to);
    else void navigate({ to: id });
  };
  return (
    <ModalOverlay className="overlay" isOpen isDismissable onOpenChange={(isOpen) => isOpen || onClose()}>
      <Modal className="modal">
        <AriaDialog className="dialog palette" aria-label={t('goTo')} ref={box}>
          <Autocomplete
            inputValue={text}
            onInputChange={setText}
            filter={(value, input) => value.startsWith('\u200b') || contains(value, input)}
          >
            <TextField aria-label={t('goTo')} autoFocus>
              <Input placeholder={t('goToHelp')} />
            </TextField>
            <Menu className="menu" aria-label={t('goTo')} onAction={(key) => act(String(key))}>
              {places.map(({ to, title, icon: Icon, letter }) => (
                <MenuItem key={to} id={to} className="menu-item" textValue={t(title)}>
                  <Icon size={16} aria-hidden />
                  <span>{t(title)}</span>
                  <kbd>g {letter}</kbd>
                </MenuItem>
              ))}
              <MenuItem id="/account" className="menu-item" textValue={t('yourAccount')}>
                <UserRound size={16} aria-hidden />
                <span>{t('yourAccount')}</span>
              </MenuItem>
              <MenuItem id="shortcuts" className="menu-item" textValue={t('shortcuts')}>
                <Keyboard size={16} aria-hidden />
                <span>{t('shortcuts')}</span>
                <kbd>?</kbd>
              </MenuItem>
              {found.map(({ name, title }) => (
                // The filter lets through what begins with a space of no width: this fits every text.
                <MenuItem key={name} id={name} className="menu-item" textValue={`\u200b${title(t)}`}>
                  <Search size={16} aria-hidden />
                  <span className="found">{title(t)}</span>
                </MenuItem>
              ))}
            </Menu>
          </Autocomplete>
        </AriaDialog>
      </Modal>
    </ModalOverlay>
  );
}

const REFERENCE = 'aria-activedescendant';

/**
 * Keeps a field from naming an entry that is gone: where the entries of a list are made anew while the user types,
 * `Autocomplete` goes on naming the one that had the focus before, and screen readers look for it in vain.
 *
 * @param box what the field and its list are in
 */
function useRightReference(box: RefObject<HTMLElement | null>): void {
  useEffect(() => {
    const element = box.current;
    if (element === null) return undefined;
    const mend = () => {
      for (const field of element.querySelectorAll(`[${REFERENCE}]`)) {
        if (document.getElementById(field.getAttribute(REFERENCE) ?? '') === null) field.removeAttribute(REFERENCE);
      }
    };
    const observer = new MutationObserver(mend);
    observer.observe(element, { subtree: true, childList: true, attributes: true, attributeFilter: [REFERENCE] });
    return () => observer.disconnect();
  }, [box]);
}
