import type { LineResultReport } from '../admin/index.ts';
import { lineCutMinutes } from '../platform/drill.ts';
import { realClock } from '../runtime/real-world.ts';
import { type Call, CommandFailed, flag, numberOption, type Run } from './command.ts';
import { lineSaid } from './drill-in-words.ts';
import { findBox } from './find-box.ts';
import { zoneOf } from './site-zone.ts';
import { moment, number, table } from './wording.ts';

const lookMs = 1000;

/** `drill line [--minutes N] [--end] [--json]`: resolves when the result is there. */
export const drillLine: Run = async call => {
  const minutes = numberOption(call, 'minutes', lineCutMinutes.usual, 1, lineCutMinutes.most);
  const said = lineSaid(call.env);
  await using box = await findBox(call);
  const before = (await box.get('/drill')).line;
  if (flag(call, 'end')) {
    if (before.now === null) throw new CommandFailed(said.notCut);
    await box.post('/drill/line/end');
  }
  const { now } = before.now ? before : await box.post('/drill/line', { minutes });
  const id = now?.id;
  if (now?.step === 'cut' && !flag(call, 'end') && !flag(call, 'json'))
    await call.print(`${said.cut(moment(now.ends_at, await zoneOf(box)))}\n`);
  for (;;) {
    const { line } = await box.get('/drill');
    if (line.now?.id === id) {
      await realClock.sleep(lookMs);
      continue;
    }
    const result = line.results.find(one => one.id === id);
    if (!result) throw new CommandFailed(said.noResult);
    await print(call, result, await zoneOf(box));
    return result.outcome === 'passed' ? 0 : 1;
  }
};

async function print(call: Call, result: LineResultReport, timeZone: string): Promise<void> {
  if (flag(call, 'json')) return call.print(`${JSON.stringify(result, null, 2)}\n`);
  const said = lineSaid(call.env);
  const { begun_at, restored_at, outcome, waiting, devices } = result;
  const rows = devices.map(one => [one.device_id, number(one.said), number(one.stored), number(one.confirmed)]);
  await call.print(
    [
      `${said.outcomes[outcome]}\n`,
      `  ${said.times(moment(begun_at, timeZone), moment(restored_at, timeZone))}\n`,
      waiting > 0 ? `  ${said.waiting(number(waiting))}\n` : '',
      rows.length > 0 ? table(said.columns, rows) : '',
    ].join(''),
  );
}
