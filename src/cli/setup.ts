import { realClock } from '../runtime/real-world.ts';
import { flag, type Run } from './command.ts';
import { findBox } from './find-box.ts';
import { ago } from './wording.ts';

/** `setup [--show-key]`: whether a phone can set up the box now, and how the last attempt went. */
export const setup: Run = async call => {
  await using box = await findBox(call);
  const report = await box.get('/setup');
  const hotspot = flag(call, 'show-key') ? await box.post('/setup/hotspot') : null;
  if (flag(call, 'json'))
    return call.print(`${JSON.stringify({ ...report, ...(hotspot ? { hotspot_key: hotspot.key } : {}) }, null, 2)}\n`);
  const now = realClock.now();
  const lines = [
    ['set-up', modes[report.mode] + (report.why ? `: ${report.why}` : '')],
    ...(report.name === null ? [] : [['name', report.name]]),
    ...(hotspot ? [['password', hotspot.key ?? 'none: the hotspot is open']] : []),
    ...(report.hotspot === null ? [] : [['hotspot', `http://${report.hotspot}`]]),
    ...(report.mode === 'open' ? [['bluetooth', report.bluetooth ?? 'phones can find the box']] : []),
    ...(report.last ? [['last try', `${report.last.ssid}, ${ago(report.last.at, now)}: ${report.last.message}`]] : []),
  ];
  await call.print(lines.map(([name, value]) => `${name!.padEnd(10)} ${value}\n`).join(''));
};

const modes: Readonly<Record<string, string>> = {
  off: 'off',
  stopped: 'the box does not run',
  ready: 'nothing is to be set up; `gatehouse reset --network` opens it again',
  waiting: 'waits for wifi',
  opening: 'looks for networks, and opens its hotspot',
  open: 'a phone may set the box up now',
  trying: 'under way',
};
