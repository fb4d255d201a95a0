import { realClock } from '../runtime/real-world.ts';
import { flag, type Run, textOption } from './command.ts';
import { findBox } from './find-box.ts';
import { systemLog } from './journal.ts';
import { parseMoment } from './moment.ts';
import { zoneOf } from './site-zone.ts';
import { moment } from './wording.ts';

const lookAgainMs = 1000;

/**
 * `logs [-f] [--device ID] [--system]`: the logs of devices, oldest first; with -f also new ones.
 */
export const logs: Run = async call => {
  if (flag(call, 'system')) return systemLog(call);
  const asked = parseMoment(textOption(call, 'from') ?? '1d', 'from', realClock.now());
  await using box = await findBox(call);
  const timeZone = await zoneOf(box);
  const from = asked(timeZone);
  const device = textOption(call, 'device');
  const filter = device === undefined ? { from } : { from, device_id: device };
  let after = 0;
  do {
    for await (const row of box.lines('get', '/export/{what}', { what: 'logs', ...filter, cursor: after })) {
      after = Number(row.seq);
      const { received_at, device_id, text } = row as { received_at: number; device_id: string; text: string };
      const line = flag(call, 'json')
        ? JSON.stringify(row)
        : `${moment(received_at, timeZone)}  ${device_id}  ${oneLine(text)}`;
      await call.print(`${line}\n`);
    }
    if (flag(call, 'follow')) await realClock.sleep(lookAgainMs);
  } while (flag(call, 'follow'));
};

/** Removes control characters: a device's text must not move the cursor of a terminal. */
const oneLine = (text: string): string =>
  text.replaceAll(/[\u0000-\u001f\u007f-\u009f]/g, sign =>
    sign === '\n' ? '\\n' : `\\x${sign.charCodeAt(0).toString(16).padStart(2, '0')}`,
  );
