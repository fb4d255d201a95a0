import { type Call, CommandFailed, flag, type Run } from './command.ts';
import { findBox } from './find-box.ts';
import { zoneOf } from './site-zone.ts';
import { moment } from './wording.ts';

/**
 * `recovery-key new`: prints the key in the form that `age` and `restore --recovery-key-file` read.
 */
export const recoveryKeyNew: Run = async call => {
  await using box = await findBox(call);
  const { recovery_key: before } = await box.get('/backup');
  if (before && !flag(call, 'replace'))
    throw new CommandFailed(
      `this box has a recovery key, made ${moment(before.made_at, await zoneOf(box))}: with --replace the backups from now on are encrypted to a new one; those before need the old one`,
    );
  const made = await box.post('/recovery-key');
  if (flag(call, 'json')) await call.print(`${JSON.stringify(made)}\n`);
  else await printKey(call, made, await zoneOf(box));
  // A key that was printed is kept.
  await box.post('/recovery-key/kept', { recipient: made.recipient });
};

async function printKey(
  call: Call,
  made: { readonly recovery_key: string; readonly recipient: string; readonly made_at: number },
  timeZone: string,
): Promise<void> {
  call.tell(
    'This key opens the backups of this box, and is not kept on it. It is shown once: print it or write it down, and keep it away from the box.',
  );
  if (!call.stdout.isTTY) call.tell('Written to a file, it should be readable by you alone: chmod 600 FILE.');
  await call.print(
    `# recovery key of a Gatehouse, made ${moment(made.made_at, timeZone)}\n# public key: ${made.recipient}\n${made.recovery_key}\n`,
  );
}

/** `recovery-key show`: what the box has of it: the public half and its date. */
export const recoveryKeyShow: Run = async call => {
  await using box = await findBox(call);
  const { recovery_key: report } = await box.get('/backup');
  if (flag(call, 'json')) return call.print(`${JSON.stringify(report)}\n`);
  await call.print(
    report
      ? `backups are encrypted to ${report.recipient}, made ${moment(report.made_at, await zoneOf(box))}; the key itself is not on the box\n`
      : 'none yet: `gatehouse recovery-key new` makes one\n',
  );
};
