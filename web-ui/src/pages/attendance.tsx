import { useLocation } from 'preact-iso';
import './attendance.css';
import { ReceiptPage } from '../parts/receipt.tsx';
import { DailyReports } from './attendance/daily-reports.tsx';
import { Day } from './attendance/day.tsx';
import { Month } from './attendance/month.tsx';
import { Person } from './attendance/person.tsx';
import { PersonSheet } from './attendance/person-sheet.tsx';
import { OwnAccess } from './people/access-codes.tsx';
import { LeaveForm } from './schedules/leave-form.tsx';
import { PersonLeaves } from './schedules/person-leaves.tsx';

/** Staff: who is here, who is missing, and the month for payroll. */
export default function Attendance() {
  const { path } = useLocation();
  const [, , view, id, of] = path.split('/');
  if (view === 'record' && of)
    return (
      <ReceiptPage
        key={path}
        asked={id === 'access' ? { access: Number(of) } : { checkin: Number(of) }}
        back={id === 'access' ? '/access' : '/attendance'}
      />
    );
  if (view === 'person' && id && of) return <PersonSheet key={path} extId={decodeURIComponent(id)} day={of} />;
  if (view === 'person' && id)
    return <Person key={id} extId={decodeURIComponent(id)} leaves={PersonLeaves} access={OwnAccess} />;
  if (view === 'reports') return <DailyReports />;
  return view === 'month' ? <Month Leave={LeaveForm} /> : <Day Leave={LeaveForm} />;
}
