import { useQueryClient } from '@tanstack/react-query';
import { Bookmark, Trash2 } from 'lucide-react';
import { useState } from 'react';
import { Header, Menu, MenuItem, MenuSection, MenuTrigger, Popover } from 'react-aria-components';
import { call } from '../api/call.ts';
import type { BodyOf } from '../api/endpoints.types.ts';
import { deleteView, listViews, saveView } from '../api/operations.generated.ts';
import { useRead } from '../api/queries.ts';
import { useSession } from '../app/session.tsx';
import { useWords } from '../words/words.tsx';
import { Button } from './button.tsx';
import { FormDialog } from './dialog.tsx';
import { Field } from './fields.tsx';

interface ViewsProps {
  readonly page: BodyOf<typeof saveView>['page'];
  readonly current: Readonly<Record<string, string>>;
  readonly onChoose: (search: Record<string, string>) => void;
}

/** Filters that this person keeps under a name. */
export function Views({ page, current, onChoose }: ViewsProps) {
  const { t } = useWords();
  const { payeeId } = useSession();
  const client = useQueryClient();
  const [isSaving, setIsSaving] = useState(false);
  const { data } = useRead(listViews, { payeeId });
  const views = (data?.views ?? []).filter((view) => view.page === page);
  const remove = async (viewId: string) => {
    await call(deleteView, { payeeId, viewId });
    await client.invalidateQueries({ queryKey: [listViews] });
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
      {isSaving && <SaveView page={page} current={current} onClose={() => setIsSaving(false)} />}
    </>
  );
}

function SaveView(props: Pick<ViewsProps, 'page' | 'current'> & { readonly onClose: () => void }) {
  const { page, current, onClose } = props;
  const { t } = useWords();
  const { payeeId } = useSession();
  const client = useQueryClient();
  const [name, setName] = useState('');
  const submit = async () => {
    const query = String(new URLSearchParams(current));
    await call(saveView, { payeeId, body: { name, page, query } });
    await client.invalidateQueries({ queryKey: [listViews] });
    return undefined;
  };
  return (
    <FormDialog title={t('saveView')} submit={t('save')} onSubmit={submit} onClose={onClose}>
      <Field label={t('name')} value={name} onChange={setName} maxLength={60} isRequired autoFocus />
    </FormDialog>
  );
}
