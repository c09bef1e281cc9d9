import type { ReactNode } from 'react';
import { Tabs as AriaTabs, Tab, TabList, TabPanel } from 'react-aria-components';

interface TabsProps {
  readonly label: string;
  readonly tabs: readonly { readonly id: string; readonly title: string; readonly content: ReactNode }[];
}

/** Parts of a screen, one at a time. */
export function Tabs({ label, tabs }: TabsProps) {
  return (
    <AriaTabs className="stack">
      <TabList className="seg" aria-label={label}>
        {tabs.map(({ id, title }) => (
          <Tab key={id} id={id} className="tab">
            {title}
          </Tab>
        ))}
      </TabList>
      {tabs.map(({ id, content }) => (
        <TabPanel key={id} id={id} className="stack">
          {content}
        </TabPanel>
      ))}
    </AriaTabs>
  );
}
