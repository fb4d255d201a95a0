import { existsSync, statSync } from 'node:fs';
import { resolve } from 'node:path';
import { createInterface } from 'node:readline/promises';
import { connectAdmin } from '../admin-client/index.ts';
import { recallConfig } from '../config/index.ts';
import { asUser } from '../operations/index.ts';
import { isAdminRefused } from '../runtime/admin-refused.ts';
import { resetStopped } from '../store/index.ts';
import { passphraseOf, takenInto } from './backup.ts';
import { type Call, CommandFailed, flag, type Run, textOption, WrongUsage } from './command.ts';
import { configInForce, dataDirOf } from './config-of.ts';
import { findBox } from './find-box.ts';

/** `reset --network`, or `reset --all [--yes] [--keep-backup FILE]`. */
export const reset: Run = async call => {
  const all = flag(call, 'all');
  if (all === flag(call, 'network')) throw new WrongUsage('say what is reset: --network or --all');
  if (!all && (flag(call, 'yes') || textOption(call, 'keep-backup') !== undefined))
    throw new WrongUsage('--yes and --keep-backup go with --all');
  await (all ? resetAll(call) : resetNetwork(call));
};

/** Forgets the wifi network, so that a phone can set up the box again. */
async function resetNetwork(call: Call): Promise<void> {
  await using box = await findBox(call);
  try {
    await box.post('/setup/reset-network');
  } catch (error) {
    throw new CommandFailed(`the network was not reset: ${(error as Error).message}`);
  }
  const { mode } = await box.get('/setup');
  await call.print(
    mode === 'stopped'
      ? 'the network will be forgotten at the next start, and a phone can set the box up\n'
      : 'the network is forgotten: a phone can set the box up; `gatehouse setup` says under which name\n',
  );
}

/** Resets the box to its factory state. */
async function resetAll(call: Call): Promise<void> {
  const dataDir = dataDirOf(call);
  if (!existsSync(dataDir)) throw new CommandFailed(`${dataDir}: no box here: name its --data-dir or --config`);
  const name = (recallConfig(dataDir) ?? configInForce(call)).name;
  if (!flag(call, 'yes')) await askName(call, name, dataDir);
  const kept = await keepBackup(call, dataDir);
  const running = await connectAdmin(dataDir);
  if (!running) {
    // New files get the owner of the directory.
    await asUser(statSync(dataDir), async () => resetStopped(dataDir));
    await call.print(`${dataDir}: everything is removed; ${kept}the box starts over at its next start\n`);
    return;
  }
  await using box = running;
  const { outcome } = await box.post('/reset-all', { name }).catch(error => {
    if (!isAdminRefused(error) || error.problem.title !== 'wrong_name') throw error;
    throw new CommandFailed(`the box runs with another config than the one in ${dataDir}: restart it, then try again`);
  });
  await call.print(
    outcome === 'starts_anew'
      ? `everything is being removed; ${kept}the box restarts now\n`
      : `everything is removed when the box starts next: ${kept}stop it and start it\n`,
  );
}

async function askName(call: Call, name: string, dataDir: string): Promise<void> {
  call.tell(
    `Everything that the box "${name}" (${dataDir}) holds is removed: records, people, accounts, keys, certificates, its network.`,
  );
  if (textOption(call, 'keep-backup') === undefined)
    call.tell('No backup is kept of it: --keep-backup FILE writes one first.');
  call.tell('Type the name of the site to go on:');
  const lines = createInterface({ input: call.stdin });
  const typed = (await lines[Symbol.asyncIterator]().next()).value;
  lines.close();
  if (typed?.trim() !== name.trim()) throw new CommandFailed('this is not its name: nothing was changed');
}

/** Writes the backup that `--keep-backup` asks for; returns what to print about it, or nothing. */
async function keepBackup(call: Call, dataDir: string): Promise<string> {
  const name = textOption(call, 'keep-backup');
  if (name === undefined) return '';
  const file = resolve(call.cwd, name);
  await using box = await findBox(call);
  const passphrase = passphraseOf(call);
  await takenInto(file, dataDir, box, { passphrase, with_files: false });
  return `${name} holds what it was, encrypted ${passphrase === undefined ? 'to the recovery key' : 'with the passphrase'}; `;
}
