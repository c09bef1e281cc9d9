import { useQuery, useQueryClient } from '@tanstack/react-query';
import { Bookmark, Trash2 } from 'lucide-react';
import { useState } from 'react';
import { Header, Menu, MenuItem, MenuSection, MenuTrigger, Popover } from 'react-aria-components';
import { change, get, withQuery } from '../api/portal-api.ts';
import type { View } from '../api/types.ts';
import { useSession } from '../app/session.tsx';
import { useWords } from '../words/words.tsx';
import { Button } from './button.tsx';
import { FormDialog } from './dialog.tsx';
import { Field } from './fields.tsx';

interface ViewsProps {
  readonly page: string;
  readonly current: object;
  readonly onChoose: (search: Record<string, string>) => void;
}

/** Filters that this person keeps under a name. */
export function Views({ page, current, onChoose }: ViewsProps) {
  const { t } = useWords();
  const { payeeId } = useSession();
  const client = useQueryClient();
  const [isSaving, setIsSaving] = useState(false);
  const path = `/payees/${payeeId}/views`;
  const { data } = useQuery({ queryKey: [path], queryFn: () => get<{ views: readonly View[] }>(path) });
  const views = (data?.views ?? []).filter((view) => view.page === page);
  const remove = async (viewId: string) => {
    await change('POST', `${path}/${viewId}/delete`, {});
    await client.invalidateQueries({ queryKey: [path] });
  };
  return (
    <>
      <MenuTrigger>
        <Button icon={<Bookmark size={16} aria-hidden />}>{t('views')}</Button>
        <Popover className="popover" placement="bottom end">
          <Menu className="menu" aria-label={t('views')}>
            <MenuSection className="menu-section" aria-label={t('views')}>
              {views.map(({ viewId, name, query }) => (
                <MenuItem
                  key={viewId}
                  className="menu-item"
                  onAction={() => onChoose(Object.fromEntries(new URLSearchParams(query)))}
                >
                  {name}
                </MenuItem>
              ))}
              <MenuItem className="menu-item" onAction={() => setIsSaving(true)}>
                {t('saveView')}
              </MenuItem>
            </MenuSection>
            {views.length > 0 && (
              <MenuSection className="menu-section">
                <Header className="menu-header">{t('delete')}</Header>
                {views.map(({ viewId, name }) => (
                  <MenuItem
                    key={viewId}
                    className="menu-item"
                    textValue={`${t('delete')} ${name}`}
                    onAction={() => void remove(viewId)}
                  >
                    <Trash2 size={15} aria-hidden /> <span>{name}</span>
                  </MenuItem>
                ))}
              </MenuSection>
            )}
          </Menu>
        </Popover>
      </MenuTrigger>
      {isSaving && <SaveView path={path} page={page} current={current} onClose={() => setIsSaving(false)} />}
    </>
  );
}

function SaveView(props: {
  readonly path: string;
  readonly page: string;
  readonly current: object;
  readonly onClose: () => void;
}) {
  const { path, page, current, onClose } = props;
  const { t } = useWords();
  const client = useQueryClient();
  const [name, setName] = useState('');
  const submit = async () => {
    const query = withQuery('', current as Record<string, string>).slice(1);
    await change('POST', path, { name, page, query });
    await client.invalidateQueries({ queryKey: [path] });
    return undefined;
  };
  return (
    <FormDialog title={t('saveView')} submit={t('save')} onSubmit={submit} onClose={onClose}>
      <Field label={t('name')} value={name} onChange={setName} maxLength={60} isRequired autoFocus />
    </FormDialog>
  );
}
