import { useLocation } from 'preact-iso';
import { may, type Role } from '../../session.ts';
import { words } from './words.ts';

export const tabs = [
  '',
  'settings',
  'history',
  'alerts',
  'network',
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
const needs: Partial<Readonly<Record<(typeof tabs)[number], Role>>> = { backup: 'admin', reset: 'admin' };

/** The condition in a sentence, and the way to the other tabs. */
export function Head({ sentence }: { sentence: string }) {
  const { path } = useLocation();
  const open = path.split('/')[2] ?? '';
  return (
    <>
      <h1 class="sentence">{sentence}</h1>
      <nav class="tabs" aria-label={words.value.tabs.label}>
        {tabs
          .filter(tab => may(needs[tab] ?? 'viewer') || tab === open)
          .map(tab => (
            <a
              key={tab}
              href={tab === '' ? '/system' : `/system/${tab}`}
              aria-current={tab === open ? 'page' : undefined}
            >
              {words.value.tabs[tab === '' ? 'overview' : tab]}
            </a>
          ))}
      </nav>
    </>
  );
}
