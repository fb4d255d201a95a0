import { useLocation } from 'preact-iso';
import './schedules.css';
import { Calendar } from './schedules/calendar.tsx';
import { ImportPlans } from './schedules/import.tsx';
import { Leaves } from './schedules/leaves.tsx';
import { PlanGridPage } from './schedules/plan-grid.tsx';
import { Rosters } from './schedules/rosters.tsx';
import { Shifts } from './schedules/shifts.tsx';

/** Staff: the shifts, who works which, the site's calendar, and leave. */
export default function Schedules() {
  const [, , view] = useLocation().path.split('/');
  if (view === 'rosters') return <Rosters />;
  if (view === 'calendar') return <Calendar />;
  if (view === 'plan') return <PlanGridPage />;
  if (view === 'import') return <ImportPlans />;
  return view === 'leave' ? <Leaves /> : <Shifts />;
}
