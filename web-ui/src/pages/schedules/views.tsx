import { nav } from '../../nav.ts';
import { TabLinks } from '../../parts/tab-links.tsx';
import { may } from '../../session.ts';
import { said } from './words.ts';

type View = 'shifts' | 'rosters' | 'plan' | 'calendar' | 'leave';

export function Views({ view }: { view: View }) {
  const text = said.value;
  const tabs: { name: View; title: string; href: string }[] = [
    { name: 'shifts', title: text.shifts, href: '/schedules' },
    { name: 'rosters', title: text.rosters, href: '/schedules/rosters' },
    { name: 'plan', title: text.plan, href: '/schedules/plan' },
    { name: 'calendar', title: text.calendar, href: '/schedules/calendar' },
  ];
  if (may('staff')) tabs.push({ name: 'leave', title: text.leave, href: '/schedules/leave' });
  return <TabLinks label={nav.value.schedules} tabs={tabs} current={view} />;
}
