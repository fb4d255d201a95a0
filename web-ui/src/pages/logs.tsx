import { useLocation } from 'preact-iso';
import { nav } from '../nav.ts';
import { TabLinks } from '../parts/tab-links.tsx';
import { DeviceLogs } from './logs/device-logs.tsx';
import { SystemLog } from './logs/system-log.tsx';
import { logWords } from './logs/words.ts';
import '../parts/acts.css';
import './logs.css';

/** Support: the logs of the devices and of the box itself. */
export default function Logs() {
  const { query } = useLocation();
  const said = logWords.value;
  const tab = query.tab === 'system' ? 'system' : 'devices';
  const tabs = (
    <TabLinks
      label={nav.value.logs}
      current={tab}
      tabs={[
        { name: 'devices', title: said.devices, href: '/logs' },
        { name: 'system', title: said.system, href: '/logs?tab=system' },
      ]}
    />
  );
  return tab === 'system' ? <SystemLog tabs={tabs} /> : <DeviceLogs tabs={tabs} />;
}
