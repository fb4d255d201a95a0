import type { TerminalPunchReport, TerminalsResultReport } from '../admin/index.ts';
import { isPunchDone } from '../platform/drill.ts';
import { hopsInWords, punchWords } from '../platform/punch-lines.ts';
import { realClock } from '../runtime/real-world.ts';
import { type Call, CommandFailed, flag, type Run } from './command.ts';
import { languageOf, terminalsSaid } from './drill-in-words.ts';
import { findBox } from './find-box.ts';
import { zoneOf } from './site-zone.ts';
import { moment, number, table } from './wording.ts';

const lookMs = 1000;

/** `drill terminals [--end] [--json]`: resolves when the result is there. */
export const drillTerminals: Run = async call => {
  const said = terminalsSaid(call.env);
  await using box = await findBox(call);
  const timeZone = await zoneOf(box);
  const before = (await box.get('/drill')).terminals;
  if (flag(call, 'end')) {
    if (before.now === null) throw new CommandFailed(said.notUnderWay);
    await box.post('/drill/terminals/end');
  }
  const { now } = before.now ? before : await box.post('/drill/terminals');
  const id = now?.id;
  const isQuiet = flag(call, 'json') || flag(call, 'end');
  if (now && !isQuiet) await call.print(`${said.begun(number(now.known), moment(now.ends_at, timeZone))}\n`);
  const printed = new Map<string, TerminalPunchReport['state']>();
  for (;;) {
    const { terminals } = await box.get('/drill');
    if (terminals.now?.id === id) {
      if (!isQuiet) await printNew(call, terminals.now?.latest ?? [], { printed, timeZone });
      await realClock.sleep(lookMs);
      continue;
    }
    const result = terminals.results.find(one => one.id === id);
    if (!result) throw new CommandFailed(said.noResult);
    await printResult(call, result, timeZone);
    return result.outcome === 'passed' ? 0 : 1;
  }
};

/** Of those that punched last, each when it comes and when it is done. */
async function printNew(
  call: Call,
  latest: readonly TerminalPunchReport[],
  { printed, timeZone }: { readonly printed: Map<string, TerminalPunchReport['state']>; readonly timeZone: string },
): Promise<void> {
  for (const punch of latest.toReversed()) {
    const { device_id: id, state } = punch;
    // "waiting" and "sent" come one after the other within a look.
    const before = printed.get(id);
    if (before === state || (before === 'waiting' && state === 'sent')) continue;
    printed.set(id, state);
    await call.print(`${rowOf(call, punch, timeZone).filter(Boolean).join('  ')}\n`);
  }
}

function rowOf({ env }: Call, punch: TerminalPunchReport, timeZone: string): string[] {
  const language = languageOf(env);
  const { device_id, device, state, why, punched_at, received_at } = punch;
  return [
    device ? `${device_id} ${device}` : device_id,
    punchWords[language].states[state],
    punched_at === null ? '' : moment(punched_at * 1000, timeZone),
    received_at === null ? '' : moment(received_at, timeZone),
    hopsInWords(language, punch, number).join(', '),
    why,
  ];
}

async function printResult(call: Call, result: TerminalsResultReport, timeZone: string): Promise<void> {
  if (flag(call, 'json')) return call.print(`${JSON.stringify(result, null, 2)}\n`);
  const said = terminalsSaid(call.env);
  const { outcome, known, done, terminals, has_cloud } = result;
  const missing = terminals.filter(({ state }) => !isPunchDone(state));
  await call.print(
    [
      `${said.outcomes[outcome](number(done), number(known))}\n`,
      has_cloud ? '' : `${said.noCloud}\n`,
      terminals.length > 0
        ? table(
            said.columns,
            [...missing, ...terminals.filter(({ state }) => isPunchDone(state))].map(one => rowOf(call, one, timeZone)),
          )
        : '',
      known > terminals.length ? `${said.unlisted(number(known - terminals.length))}\n` : '',
    ].join(''),
  );
}
