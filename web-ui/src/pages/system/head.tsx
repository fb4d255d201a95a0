import { useLocation } from 'preact-iso';
import { TabLinks } from '../../parts/tab-links.tsx';
import { may, type Role } from '../../session.ts';
import { words } from './words.ts';

/** Tabs by what somebody is looking for; the first of each group is opened by its name. */
const groups = {
  status: ['', 'history', 'alerts', 'about'],
  gateway: ['settings', 'network', 'certificates', 'holidays', 'update', 'reset'],
  safety: ['backup', 'drill', 'audit'],
  accounts: ['users'],
} as const;
type Group = keyof typeof groups;
export type SystemTab = (typeof groups)[Group][number];

/** Tabs on which a person of a lower role can do and read nothing. */
const needs: Partial<Readonly<Record<SystemTab, Role>>> = {
  backup: 'admin',
  drill: 'admin',
  reset: 'admin',
};

const pathOf = (tab: SystemTab): string => (tab === '' ? '/system' : `/system/${tab}`);

/** The condition in a sentence, and the way to the other tabs: four groups, then those of one. */
export function Head({ sentence }: { sentence: string }) {
  const { path } = useLocation();
  const said = words.value;
  const open = path.split('/')[2] ?? '';
  const tabsOf = (group: Group): SystemTab[] =>
    [...groups[group]].filter(tab => may(needs[tab] ?? 'viewer') || tab === open);
  const shown = (Object.keys(groups) as Group[]).filter(group => tabsOf(group).length > 0);
  const current = shown.find(group => tabsOf(group).some(tab => tab === open)) ?? 'status';
  return (
    <>
      <p class="sentence">{sentence}</p>
      <nav class="groups" aria-label={said.groups.label}>
        {shown.map(group => (
          <a key={group} href={pathOf(tabsOf(group)[0]!)} aria-current={group === current ? 'true' : undefined}>
            {said.groups[group]}
          </a>
        ))}
      </nav>
      <TabLinks
        label={said.tabs.label}
        current={open}
        tabs={tabsOf(current).map(tab => ({
          name: tab as string,
          title: said.tabs[tab === '' ? 'overview' : tab],
          href: pathOf(tab),
        }))}
      />
    </>
  );
}
