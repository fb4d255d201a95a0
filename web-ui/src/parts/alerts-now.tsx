import { useEffect } from 'preact/hooks';
import { useLoaded } from '../loaded.ts';
import { OpenAlerts } from './open-alerts.tsx';

const everyMs = 30_000;

/** The alerts that are open, kept up to date. Shows nothing where none is. */
export function AlertsNow() {
  const { loaded, reload } = useLoaded('/alerts');
  useEffect(() => {
    const timer = setInterval(reload, everyMs);
    return () => clearInterval(timer);
  }, [reload]);
  return <OpenAlerts rows={loaded.value.data?.open ?? []} />;
}
