import { spawn } from 'node:child_process';
import { realClock } from '../runtime/real-world.ts';
import { type Call, CommandFailed, flag, textOption, WrongUsage } from './command.ts';
import { parseMoment } from './moment.ts';
import { zoneOfSite } from './site-zone.ts';

/** The units of the box, of its updates and of its settings. */
const units = 'gatehouse*';

/** `logs --system [-f]`: the box's own log, from systemd's journal. */
export async function systemLog(call: Call): Promise<number> {
  if (textOption(call, 'device') !== undefined)
    throw new WrongUsage('--device is of what devices log: leave it out with --system');
  const asked = parseMoment(textOption(call, 'from') ?? '1d', 'from', realClock.now());
  const timeZone = await zoneOfSite(call);
  const options = [
    `--unit=${units}`,
    `--since=@${Math.floor(asked(timeZone) / 1000)}`,
    `--output=${flag(call, 'json') ? 'json' : 'short-iso'}`,
    '--no-pager',
    '--quiet',
    // Everything, then what follows; without this, journalctl -f starts with the last ten lines.
    ...(flag(call, 'follow') ? ['--follow', '--no-tail'] : []),
  ];
  const env = { ...call.env, TZ: timeZone };
  const journal = spawn('journalctl', options, { stdio: ['ignore', 'inherit', 'inherit'], env });
  return new Promise((resolve, reject) => {
    journal.once('error', (error: NodeJS.ErrnoException) =>
      reject(
        new CommandFailed(
          error.code === 'ENOENT'
            ? 'there is no journal on this machine: the box writes its log to its standard error, where `gatehouse serve` was started; its last lines are on the page Logs'
            : `journalctl cannot be run: ${error.message}`,
        ),
      ),
    );
    journal.once('exit', status => resolve(status ?? 1));
  });
}
