import { flag, type Run, textOption } from './command.ts';
import { findBox } from './find-box.ts';

/**
 * `attendance close MONTH`: closes a month for the site, or for a department; refused while
 * something is in the way, unless `--force` says why.
 */
export const attendanceClose: Run = async call => {
  await using box = await findBox(call);
  const closed = await box.post('/attendance/closings', {
    month: call.arguments[0]!,
    department: textOption(call, 'department'),
    force: textOption(call, 'force'),
  });
  if (flag(call, 'json')) return call.print(`${JSON.stringify(closed)}\n`);
  const scope = closed.scope ? closed.scope.name : 'the whole site';
  await call.print(
    `${closed.month} is closed for ${scope}: revision ${closed.revision}, ${closed.people} people\nsha256 ${closed.hash}\n`,
  );
};
