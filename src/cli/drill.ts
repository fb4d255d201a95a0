import type { CardResultReport, DrillReport } from '../admin/index.ts';
import type { BoxClient } from '../admin-client/index.ts';
import { cutsOfDrill } from '../platform/drill.ts';
import { type Call, CommandFailed, flag, numberOption, type Run, textOption, WrongUsage } from './command.ts';
import { drillSaid, resultInWords } from './drill-in-words.ts';
import { findBox } from './find-box.ts';
import { zoneOf } from './site-zone.ts';

/** `drill [--json]`. */
export const drill: Run = async call => {
  await using box = await findBox(call);
  const report = await box.get('/drill');
  if (flag(call, 'json')) return call.print(`${JSON.stringify(report, null, 2)}\n`);
  const said = drillSaid(call.env);
  const [last] = report.results;
  if (report.card) await call.print(`${said.underWay(report.card)}\n`);
  await call.print(last ? resultInWords(call.env, last, await zoneOf(box)) : `${said.none}\n`);
};

/** `drill card [--seen N [--id ID --cut N]] [--stop] [--json]`. */
export const drillCard: Run = async call => {
  const seen = textOption(call, 'seen') === undefined ? null : numberOption(call, 'seen', 0, 0, 1_000_000);
  const id = textOption(call, 'id');
  if (id !== undefined && (seen === null || !/^[0-9a-f]{16}$/.test(id)))
    throw new WrongUsage('--id: write the 16 characters that were printed at the start, together with --seen');
  const cut = numberOption(call, 'cut', 1, 1, cutsOfDrill);
  await using box = await findBox(call);
  if (flag(call, 'stop')) {
    await box.post('/drill/card/stop');
    return outcomeOf(call, box, await box.get('/drill'));
  }
  const before = await box.get('/drill');
  const after =
    seen !== null
      ? await tell(call, box, before, { seen, id, cut })
      : before.card
        ? before
        : await box.post('/drill/card', { power_will_be_cut: true });
  if (after.card === null) return outcomeOf(call, box, after);
  if (after.card.step === 'proving') throw new CommandFailed(drillSaid(call.env).awaitsSeen(after.card.cut));
  return count(call, box, after.card);
};

/** Answers for the person what was seen last; resolves to how the drill stands then. */
async function tell(
  call: Call,
  box: BoxClient,
  { card }: DrillReport,
  { seen, id, cut }: { readonly seen: number; readonly id: string | undefined; readonly cut: number },
): Promise<DrillReport> {
  const said = drillSaid(call.env);
  const asked = card ? { id: card.id, cut: card.cut } : id === undefined ? null : { id, cut };
  if (asked === null) throw new CommandFailed(said.knowsNothing);
  const { found, report } = await box.post('/drill/card/seen', { ...asked, number: seen });
  if (found === null && card) throw new CommandFailed(said.notCut);
  if (found && report.card && !flag(call, 'json')) await call.print(`${said.cut(found)}\n`);
  return report;
}

/** Prints the numbers until the power goes, or the drill ends. */
async function count(call: Call, box: BoxClient, card: NonNullable<DrillReport['card']>): Promise<number> {
  const said = drillSaid(call.env);
  const isJson = flag(call, 'json');
  if (!isJson) await call.print(`${said.begins(card.id, card.cut, card.cuts)}\n`);
  let last = 0;
  try {
    for await (const line of box.lines('get', '/drill/card/numbers')) {
      if ('done' in line) break;
      last = line.written;
      await call.print(
        isJson
          ? `${JSON.stringify(line)}\n`
          : `${last < card.pull_from ? said.written(last, card.pull_from) : said.pull(last)}\n`,
      );
    }
    return await outcomeOf(call, box, await box.get('/drill'));
  } catch {
    throw new CommandFailed(said.gone(last));
  }
}

/** Exit status 0: it passed. */
async function outcomeOf(call: Call, box: BoxClient, report: DrillReport): Promise<number> {
  const [last] = report.results;
  if (flag(call, 'json')) await call.print(`${JSON.stringify(report)}\n`);
  else if (last && !report.card) await call.print(resultInWords(call.env, last, await zoneOf(box)));
  return !report.card && last?.outcome === ('passed' satisfies CardResultReport['outcome']) ? 0 : 1;
}
