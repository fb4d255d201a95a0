import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import {
  closeSync,
  existsSync,
  fdatasyncSync,
  openSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeSync,
} from 'node:fs';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { availableParallelism, cpus, release, tmpdir, totalmem } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

export const root = fileURLToPath(new URL('..', import.meta.url));
export const serverCore = 0;
export const loadCore = availableParallelism() > 1 ? 1 : 0;
/** Both, where the server and the load share them. */
export const bothCores = [...new Set([serverCore, loadCore])].join(',');

const hasTaskset = spawnSync('taskset', ['-V']).status === 0;
export const mosquitto: string | null =
  ['/usr/sbin/mosquitto', '/usr/bin/mosquitto', '/usr/local/sbin/mosquitto'].find(file => existsSync(file)) ?? null;

/** By its hardware, not by its name: the same machine measures the same. */
export const describeMachine = (): string =>
  [
    cpus()[0]?.model.trim() ?? 'unknown processor',
    `${availableParallelism()} cores`,
    `${Math.round(totalmem() / 2 ** 30)} GiB`,
    `a disk that syncs ${[4, 64, 512].map(kiB => `${kiB} KiB in ${syncMs(kiB).toFixed(2)} ms`).join(', ')}`,
    `Linux ${release().split('.').slice(0, 2).join('.')}`,
    `Node ${process.versions.node}`,
    mosquitto ? (spawnSync(mosquitto, ['-h']).stdout.toString().split('\n')[0] ?? 'mosquitto') : 'no mosquitto',
    ...(hasTaskset ? [] : ['not pinned (no taskset)']),
  ].join(', ');

/** What a write of so much and its sync take on the disk that holds the stores of the bench. */
function syncMs(kiB: number): number {
  const name = join(tmpdir(), `gatehouse-bench-sync-${process.pid}`);
  const file = openSync(name, 'w');
  const bytes = Buffer.alloc(kiB * 1024, 1);
  const took: number[] = [];
  for (let turn = 0; turn < 51; turn++) {
    const begun = performance.now();
    writeSync(file, bytes);
    fdatasyncSync(file);
    took.push(performance.now() - begun);
  }
  closeSync(file);
  rmSync(name);
  return took.sort((x, y) => x - y)[25]!;
}

/**
 * Starts to watch how much of the processors is stolen: the hypervisor gave it to other machines
 * while this one had work. Returns the share since then.
 */
export function watchStolen(): () => number {
  const before = processorTicks();
  return () => {
    const after = processorTicks();
    return (after.stolen - before.stolen) / Math.max(1, after.all - before.all);
  };
}

function processorTicks(): { all: number; stolen: number } {
  // user nice system idle iowait irq softirq steal; guest time is part of user.
  const ticks = readFileSync('/proc/stat', 'utf8').split('\n', 1)[0]!.split(/ +/).slice(1, 9).map(Number);
  return { all: ticks.reduce((sum, value) => sum + value, 0), stolen: ticks[7]! };
}

const started = new Set<ChildProcess>();
/** An interrupted bench leaves nothing running. */
process.once('exit', () => {
  for (const child of started) child.kill('SIGKILL');
});

/** A process bound to its core, or to several (`0,1`); its standard error is kept for when it fails. */
export function pinned(
  core: number | string,
  command: string,
  args: readonly string[],
): ChildProcess & { said: () => string } {
  const [file, all] = hasTaskset ? ['taskset', ['-c', String(core), command, ...args]] : [command, args];
  const child = spawn(file, all, { stdio: ['pipe', 'pipe', 'pipe'] });
  started.add(child);
  child.once('exit', () => started.delete(child));
  let text = '';
  child.stderr.setEncoding('utf8').on('data', (chunk: string) => {
    text = (text + chunk).slice(-20_000);
  });
  return Object.assign(child, { said: () => text });
}

export async function end(child: ChildProcess, signal: NodeJS.Signals = 'SIGTERM'): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const gone = once(child, 'exit');
  child.kill(signal);
  await gone;
}

/** Processor seconds of a process and all its threads so far (10 ms steps). */
export function processorSeconds(pid: number): number {
  const { user, system } = processorShares(pid);
  return user + system;
}

/** The same, of the program itself and of the kernel for it. */
export function processorShares(pid: number): { readonly user: number; readonly system: number } {
  const fields = readFileSync(`/proc/${pid}/stat`, 'utf8')
    .replace(/^.*\) /, '')
    .split(' ');
  return { user: Number(fields[11]) / 100, system: Number(fields[12]) / 100 };
}

/** The same for each of its threads that used any, the busiest first, by thread name. */
export function threadSeconds(pid: number): { name: string; seconds: number }[] {
  return readdirSync(`/proc/${pid}/task`)
    .map(task => {
      const stat = readFileSync(`/proc/${pid}/task/${task}/stat`, 'utf8');
      const fields = stat.replace(/^.*\) /, '').split(' ');
      return {
        name: `${/\((.*)\)/.exec(stat)?.[1]} ${task}`,
        seconds: (Number(fields[11]) + Number(fields[12])) / 100,
      };
    })
    .filter(({ seconds }) => seconds > 0)
    .sort((a, b) => b.seconds - a.seconds);
}

const statusMiB = (pid: number, key: 'VmRSS' | 'VmHWM'): number =>
  Number(new RegExp(`${key}:\\s+(\\d+)`).exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1]) / 1024;

export const residentMiB = (pid: number): number => statusMiB(pid, 'VmRSS');

/** The most since its start. */
export const residentMostMiB = (pid: number): number => statusMiB(pid, 'VmHWM');

export { freePort } from '../test/support/free-port.ts';

export interface Folder extends AsyncDisposable {
  readonly path: string;
  write(name: string, text: string): Promise<string>;
  bytes(name: string): number;
}

export async function temporaryFolder(): Promise<Folder> {
  const path = await mkdtemp(join(tmpdir(), 'gatehouse-bench-'));
  return {
    path,
    write: async (name, text) => {
      await writeFile(join(path, name), text);
      return join(path, name);
    },
    bytes: name => statSync(join(path, name)).size,
    [Symbol.asyncDispose]: () => rm(path, { recursive: true, force: true, maxRetries: 3 }),
  };
}
