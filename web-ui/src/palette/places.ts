import { pagePaths } from '../../../src/platform/page-paths.ts';
import { nav } from '../nav.ts';
import type { PageName } from '../navigation.ts';
import { said as attendance } from '../pages/attendance/words.ts';
import { integrationWords } from '../pages/integrations/words.ts';
import { logWords } from '../pages/logs/words.ts';
import { said as people } from '../pages/people/words.ts';
import { said as schedules } from '../pages/schedules/words.ts';
import { words as users } from '../pages/system/users-words.ts';
import { words as system } from '../pages/system/words.ts';
import { hasBoxes, may, type Role, signOut } from '../session.ts';
import { nextTheme, theme } from '../theme.ts';
import { chooseLanguage, language, words } from '../words/index.ts';
import { said } from './words.ts';

/** A page, a part of one, or an action. */
export interface Place {
  readonly title: string;
  /** The page that it is a part of. */
  readonly note: string;
  readonly href?: string;
  /** In place of an address; it changes nothing at the box. */
  readonly act?: () => void;
}

type Listed = Place & { readonly needs?: Role };

const allowed = (places: readonly Listed[]): Place[] => places.filter(({ needs }) => may(needs ?? 'viewer'));

/** The pages and their parts that this role can use. */
export function pagePlaces(): readonly Place[] {
  const names = nav.value;
  const page = (name: PageName): Listed => ({ title: names[name], note: '', href: pagePaths[name] });
  const part = (of: PageName, title: string, href: string, needs: Role = 'viewer'): Listed => ({
    ...{ title, href, needs },
    note: names[of],
  });
  const tab = (name: Exclude<keyof typeof system.value.tabs, 'label' | 'overview'>, needs: Role = 'viewer') =>
    part('system', system.value.tabs[name], `/system/${name}`, needs);
  return allowed([
    ...(Object.keys(names) as (PageName | 'more')[])
      .filter(name => name !== 'more')
      .filter(name => name !== 'fleet' || hasBoxes())
      .map(page),
    part('attendance', attendance.value.month, '/attendance/month'),
    part('schedules', schedules.value.rosters, '/schedules/rosters'),
    part('schedules', schedules.value.plan, '/schedules/plan'),
    part('schedules', schedules.value.calendar, '/schedules/calendar'),
    part('schedules', schedules.value.leave, '/schedules/leave', 'staff'),
    part('schedules', schedules.value.importFile, '/schedules/import', 'staff'),
    part('people', people.value.import, '/people/import', 'staff'),
    part('integrations', integrationWords.value.tabs.requests, '/integrations?tab=requests'),
    part('integrations', integrationWords.value.tabs.allowed, '/integrations?tab=allowed'),
    part('integrations', integrationWords.value.tabs.console, '/integrations?tab=console', 'admin'),
    part('logs', logWords.value.system, '/logs?tab=system'),
    ...(['history', 'alerts', 'network', 'certificates', 'users', 'audit', 'update', 'holidays', 'about'] as const).map(
      name => tab(name),
    ),
    tab('backup', 'admin'),
    tab('drill', 'admin'),
    tab('reset', 'admin'),
  ]);
}

/**
 * Actions. An action that changes something at the box opens its dialog; the box is not changed
 * from here.
 */
export function actionPlaces(): readonly Place[] {
  const names = nav.value;
  return allowed([
    { title: people.value.addPerson, note: names.people, href: '/people?do=add-person', needs: 'staff' },
    { title: people.value.addDepartment, note: names.people, href: '/people?do=add-department', needs: 'staff' },
    { title: schedules.value.addShift, note: names.schedules, href: '/schedules?do=add-shift', needs: 'staff' },
    {
      title: integrationWords.value.add,
      note: names.integrations,
      href: '/integrations?do=add-caller',
      needs: 'admin',
    },
    { title: users.value.add, note: system.value.tabs.users, href: '/system/users?do=add-user', needs: 'admin' },
    { title: said.value.labels, note: names.devices, act: () => void open('/admin/v1/labels', '_blank', 'noopener') },
    {
      title: words.value.otherLanguage,
      note: '',
      act: () => chooseLanguage(language.peek() === 'en' ? 'zh-CN' : 'en'),
    },
    { title: words.value.theme[theme.value], note: '', act: nextTheme },
    { title: said.value.signOut, note: '', act: () => void signOut() },
  ]);
}

/** Each word that was typed begins a word of the title or of its page; Chinese is found anywhere. */
export function matches({ title, note }: Pick<Place, 'title' | 'note'>, typed: string): boolean {
  const text = ` ${title} ${note}`.toLowerCase();
  return typed
    .toLowerCase()
    .split(/\s+/)
    .filter(Boolean)
    .every(word => (/^[\x20-\x7e]+$/.test(word) ? text.includes(` ${word}`) : text.includes(word)));
}
