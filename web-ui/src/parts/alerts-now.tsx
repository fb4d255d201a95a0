import { useEffect } from 'preact/hooks';
import { useLoaded } from '../loaded.ts';
import { OpenAlerts } from './open-alerts.tsx';

const everyMs = 30_000;
/** The rest is on the page of alerts. */
const shownMax = 5;

/** The alerts that are open, kept up to date. Shows nothing where none is. */
export function AlertsNow() {
  const { loaded, reload } = useLoaded('/alerts');
  useEffect(() => {
    const timer = setInterval(reload, everyMs);
    return () => clearInterval(timer);
  }, [reload]);
  const { data } = loaded.value;
  return data && <OpenAlerts rows={data.open.slice(0, shownMax)} count={data.open_count} />;
}
