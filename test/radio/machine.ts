import { spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { createWriteStream, existsSync, readFileSync } from 'node:fs';
import { mkdir, readdir, readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const here = fileURLToPath(new URL('.', import.meta.url));
const root = fileURLToPath(new URL('../..', import.meta.url));
const recipe = join(here, 'make-machine.sh');

export interface Step {
  readonly step: string;
  readonly ok: boolean;
  readonly detail: unknown;
  readonly seconds: number;
}

export interface Run {
  readonly steps: readonly Step[];
  /** The ends of what the machine, the story and the box said: for whoever looks at a failure. */
  readonly said: string;
}

const defaultCache = join(root, 'node_modules/.cache/radio-machine');

/** Named after its recipe: a changed recipe is another machine. */
const folderIn = (cache: string): string =>
  join(cache, createHash('sha256').update(readFileSync(recipe)).digest('hex').slice(0, 16));

export const isMade = (cache = defaultCache): boolean => existsSync(folderIn(cache));

/** The folder of the machine, made if it is not there; those of older recipes are removed. */
export async function machine(cache = defaultCache): Promise<string> {
  const folder = folderIn(cache);
  if (existsSync(folder)) return folder;
  await mkdir(cache, { recursive: true });
  for (const old of await readdir(cache))
    if (!join(cache, old).startsWith(folder)) await rm(join(cache, old), { recursive: true, force: true });
  const making = spawn(recipe, [folder], { stdio: ['ignore', 'pipe', 'pipe'] });
  let said = '';
  const hear = (text: string) => {
    said += text;
  };
  making.stdout.setEncoding('utf8').on('data', hear);
  making.stderr.setEncoding('utf8').on('data', hear);
  const [status] = await once(making, 'close');
  if (status !== 0) throw new Error(`the machine of the radio test was not made: ${said.slice(-4000)}`);
  return folder;
}

/**
 * Starts the machine, under software emulation as nothing else is there everywhere, and lets it
 * tell its story: `run.sh` of the folder `story`. `program` is a checkout that has been built, or a
 * folder with the single executable as `bin/gatehouse`; `results` is an empty folder.
 */
export async function runMachine(
  folder: string,
  results: string,
  { program = root, story = here, minutes = 12 }: { program?: string; story?: string; minutes?: number } = {},
): Promise<Run> {
  const share = (tag: string, path: string, writable: boolean) => [
    '-fsdev',
    `local,id=${tag},path=${path},security_model=none${writable ? '' : ',readonly=on'}`,
    '-device',
    `virtio-9p-pci,fsdev=${tag},mount_tag=${tag}`,
  ];
  const qemu = spawn(
    'qemu-system-x86_64',
    [
      ...['-accel', 'tcg,thread=multi', '-cpu', 'max', '-smp', '2', '-m', '1024', '-nographic', '-no-reboot'],
      ...['-kernel', join(folder, 'vmlinuz'), '-initrd', join(folder, 'initrd.img')],
      ...['-append', 'root=/dev/vda rw console=ttyS0 quiet net.ifnames=0 mitigations=off panic=-1'],
      // Nothing is written into the machine: the next run finds it as it was made.
      ...['-drive', `file=${join(folder, 'root.ext4')},format=raw,if=virtio,snapshot=on`],
      ...share('gatehouse', program, false),
      ...share('radio', story, false),
      ...share('results', results, true),
      ...['-nic', 'none', '-device', 'virtio-rng-pci'],
    ],
    { stdio: ['ignore', 'pipe', 'pipe'] },
  );
  const screen = createWriteStream(join(results, 'console.log'));
  qemu.stdout.pipe(screen, { end: false });
  qemu.stderr.pipe(screen, { end: false });
  // Bounded from outside too: a machine that hangs must not keep the tests from ending.
  const tooLong = setTimeout(() => qemu.kill('SIGKILL'), minutes * 60_000);
  const withUs = () => qemu.kill('SIGKILL');
  process.once('exit', withUs);
  const [status, signal] = await once(qemu, 'close');
  process.off('exit', withUs);
  clearTimeout(tooLong);
  screen.end();
  const text = (name: string) => readFile(join(results, name), 'utf8').catch(() => '');
  const steps = (await text('steps.jsonl'))
    .split('\n')
    .filter(Boolean)
    .map(line => JSON.parse(line) as Step);
  let said = `the machine ended with ${signal ?? status}${signal ? ` after ${minutes} minutes` : ''}\n`;
  for (const name of ['console.log', 'run.log', 'box.log'])
    said += `----- the end of ${name}\n${(await text(name)).slice(-6000)}\n`;
  return { steps, said };
}
