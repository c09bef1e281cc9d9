import { Ellipsis } from 'lucide-react';
import { Menu, MenuItem, MenuTrigger, Popover } from 'react-aria-components';
import { Button } from './button.tsx';

interface RowMenuProps {
  /** Names the row it belongs to. */
  readonly label: string;
  readonly items: readonly { readonly title: string; readonly onAction: () => void }[];
}

/** What can be done with one row of a list. */
export function RowMenu({ label, items }: RowMenuProps) {
  return (
    <MenuTrigger>
      <Button kind="quiet" small icon={<Ellipsis size={16} aria-hidden />} aria-label={label} />
      <Popover className="popover" placement="bottom end">
        <Menu className="menu" aria-label={label}>
          {items.map(({ title, onAction }) => (
            <MenuItem key={title} className="menu-item" onAction={onAction}>
              {title}
            </MenuItem>
          ))}
        </Menu>
      </Popover>
    </MenuTrigger>
  );
}
