import { realClock } from '../runtime/real-world.ts';
import { flag, type Run } from './command.ts';
import { findBox } from './find-box.ts';
import { onOneLine } from './printable.ts';
import { ago } from './wording.ts';

/**
 * `services status`: what waits for the cloud, and calls that were refused or taken with a mark.
 */
export const servicesStatus: Run = async call => {
  await using box = await findBox(call);
  const report = await box.get('/services');
  if (flag(call, 'json')) return call.print(`${JSON.stringify(report, null, 2)}\n`);
  const { files, messages, refused } = report.waiting;
  const now = realClock.now();
  const lines = [
    `waiting       ${files} files and ${messages} messages for the cloud`,
    ...(refused > 0 ? [`refused       ${refused} files and messages by the cloud`] : []),
    ...report.refused_calls.flatMap(one => [
      `call refused  ${one.path} by ${one.app_id || 'nobody'} from ${one.address}, ${one.count} times, last ${ago(one.at, now)}: ${one.message}`,
      ...(one.string_to_sign === '' ? [] : [`              to be signed: ${one.string_to_sign}`]),
    ]),
    ...report.marked_calls.map(
      one =>
        `call marked   ${one.path} by ${one.app_id} from ${one.address}, ${one.count} times, last ${ago(one.at, now)}: ${one.message}`,
    ),
  ];
  await call.print(`${lines.map(onOneLine).join('\n')}\n`);
};
