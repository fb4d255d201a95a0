import { useLocation } from 'preact-iso';
import './attendance.css';
import { Day } from './attendance/day.tsx';
import { Month } from './attendance/month.tsx';
import { Person } from './attendance/person.tsx';

/** Staff: who is here, who is missing, and the month for payroll. */
export default function Attendance() {
  const [, , view, id] = useLocation().path.split('/');
  if (view === 'person' && id) return <Person key={id} extId={decodeURIComponent(id)} />;
  return view === 'month' ? <Month /> : <Day />;
}
