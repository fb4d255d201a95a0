import type { AlertReport } from '../admin/index.ts';
import { alertChannels } from '../platform/alerts.ts';
import { realClock } from '../runtime/real-world.ts';
import { CommandFailed, flag, type Run, WrongUsage } from './command.ts';
import { findBox } from './find-box.ts';
import { zoneOf } from './site-zone.ts';
import { ago, moment, table } from './wording.ts';

/** `alerts [--json]`: what is wrong, what it means, and what to do. */
export const alerts: Run = async call => {
  await using box = await findBox(call);
  const report = await box.get('/alerts');
  await call.print(
    flag(call, 'json')
      ? `${JSON.stringify(report, null, 2)}\n`
      : alertsInWords(report, realClock.now(), await zoneOf(box)),
  );
};

export function alertsInWords(
  { open, channels, muted_until, quiet }: AlertReport,
  now: number,
  timeZone: string,
): string {
  const opened = open.map(
    ({ severity, title, means, todo, since }) =>
      `${severity.padEnd(8)} ${title} (since ${moment(since, timeZone)}, ${ago(since, now)})\n         ${means}\n         ${todo}\n`,
  );
  const rows = channels.map(({ name, last_ok_at, why, waiting }) => [
    name,
    last_ok_at === null ? 'never' : moment(last_ok_at, timeZone),
    String(waiting),
    why === '' ? 'works' : why,
  ]);
  return [
    opened.length === 0 ? 'no alert is open\n' : opened.join('\n'),
    muted_until === null ? '' : `\nmuted until ${moment(muted_until, timeZone)}: nothing is sent\n`,
    quiet ? '\nquiet hours: only critical alerts are sent, the rest at their end\n' : '',
    rows.length === 0
      ? '\nno channel is set up: write one under alerts in the config, or on the page System, Alerts\n'
      : `\n${table(['channel', 'got through', 'waiting', 'state'], rows)}`,
  ].join('');
}

/** `alerts test [CHANNEL]`: exit status 1 if one did not get through. */
export const alertsTest: Run = async call => {
  const wanted = call.arguments[0];
  const named = alertChannels.find(name => name === wanted);
  if (wanted !== undefined && !named)
    throw new WrongUsage(`"${wanted}": write one of ${alertChannels.join(', ')}, or nothing for all that are set up`);
  await using box = await findBox(call);
  const names = named ? [named] : (await box.get('/alerts')).channels.map(({ name }) => name);
  if (names.length === 0)
    throw new CommandFailed(
      'no channel is set up: write one under alerts in the config, or on the page System, Alerts',
    );
  const results = await Promise.all(
    names.map(async name => ({ channel: name, ...(await box.post('/alerts/test', { channel: name })) })),
  );
  if (flag(call, 'json')) await call.print(`${JSON.stringify(results, null, 2)}\n`);
  else
    await call.print(
      results.map(({ channel, sent, why }) => `${channel}: ${sent ? 'sent' : `not sent: ${why}`}\n`).join(''),
    );
  return results.every(({ sent }) => sent) ? 0 : 1;
};
