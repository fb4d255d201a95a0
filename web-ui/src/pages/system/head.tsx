import { useLocation } from 'preact-iso';
import { TabLinks } from '../../parts/tab-links.tsx';
import { may, type Role } from '../../session.ts';
import { words } from './words.ts';

export const tabs = [
  '',
  'settings',
  'history',
  'alerts',
  'network',
  'drill',
  'certificates',
  'users',
  'audit',
  'backup',
  'update',
  'reset',
  'holidays',
  'about',
] as const;

/** Tabs on which a person of a lower role can do and read nothing. */
const needs: Partial<Readonly<Record<(typeof tabs)[number], Role>>> = {
  backup: 'admin',
  drill: 'admin',
  reset: 'admin',
};

/** The condition in a sentence, and the way to the other tabs. */
export function Head({ sentence }: { sentence: string }) {
  const { path } = useLocation();
  const open = path.split('/')[2] ?? '';
  return (
    <>
      <p class="sentence">{sentence}</p>
      <TabLinks
        label={words.value.tabs.label}
        current={open}
        tabs={tabs
          .filter(tab => may(needs[tab] ?? 'viewer') || tab === open)
          .map(tab => ({
            name: tab as string,
            title: words.value.tabs[tab === '' ? 'overview' : tab],
            href: tab === '' ? '/system' : `/system/${tab}`,
          }))}
      />
    </>
  );
}
