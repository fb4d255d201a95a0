import { existsSync } from 'node:fs';
import { resolve } from 'node:path';
import { Readable } from 'node:stream';
import { createGzip } from 'node:zlib';
import type { BoxClient } from '../admin-client/index.ts';
import { FileRefused, type LoadedConfig, shareableKeys } from '../config/index.ts';
import { becomeOwner } from '../runtime/become-owner.ts';
import { realClock } from '../runtime/real-world.ts';
import { defaultDataDir, resolvePath } from '../runtime/resolve-path.ts';
import { tarOf } from '../runtime/tar.ts';
import { within } from '../runtime/within.ts';
import { StoreOpenError, tableSizes } from '../store/index.ts';
import { agreed } from './agreed.ts';
import { type Call, type Run, textOption } from './command.ts';
import { loadedConfigOf } from './config-of.ts';
import { boxThatRuns, examine } from './doctor.ts';
import { installedDataDir } from './installed-box.ts';
import { needNew, writeNewFile } from './new-file.ts';
import { Pseudonyms } from './pseudonyms.ts';
import { stoppedBox } from './stopped-box.ts';
import { journalOf, logOf } from './support-logs.ts';
import { diskFacts, machineFacts } from './support-machine.ts';
import { alertsOf, auditOf, metricsOf, stateOf, unavailable } from './support-parts.ts';
import { withPages } from './with-pages.ts';
import { bytes, table } from './wording.ts';

/** `support FILE [--yes]`: one file for whoever helps, listed before it is written. */
export const support: Run = async call => {
  const file = resolve(call.cwd, call.arguments[0]!);
  needNew(file);
  const at = realClock.now();
  const parts = await collected(call);
  const rows = parts.map(({ name, what, bytes: content }) => [name, bytes(content.length), what]);
  await call.print(`${table(['FILE', 'SIZE', 'CONTENTS'], rows)}\n`);
  if (!(await agreed(call, `${file} will hold these, and no names, numbers, punches, faces or keys.`))) return 1;
  const folder = 'gatehouse-support';
  const files = parts.map(part => ({ name: `${folder}/${part.name}`, bytes: part.bytes }));
  const packed = Readable.from(tarOf(files, at)).pipe(createGzip());
  const written = await writeNewFile(file, packed);
  await call.print(`${file}: written, ${bytes(written)}\n`);
};

interface Part {
  readonly name: string;
  readonly bytes: Uint8Array;
  readonly what: string;
}

/** Longer than the slowest check of doctor. */
const partMsMax = 120_000;

async function collected(call: Call): Promise<Part[]> {
  // Before the change of user: the journal and the config may be for root alone.
  const journal = await journalOf();
  const config = configIn(call);
  const usable = config.loaded ? call : withoutConfig(call);
  const dataDir = config.loaded?.config.data_dir ?? textOption(usable, 'data-dir') ?? null;
  const found = await boxIn(usable, dataDir);
  await using box = found.box;
  using _owner = dataDir === null ? null : becomeOwner(dataDir);
  const fit = new Pseudonyms(box ? await deviceIds(box) : []);
  const isThere = (why: object = { not_available: 'no box' }) => {
    if (!box) throw Object.assign(new Error(), { name: String(Object.values(found.why ?? why)[0]) });
    return box;
  };
  const parts: Part[] = [];
  const part = async (name: string, what: string, make: () => unknown) => {
    const late = () => Object.assign(new Error(), { name: 'no answer' });
    const made = await within(partMsMax, realClock, (async () => make())(), late).catch(unavailable);
    if (made === '' || made === undefined) return;
    const text = typeof made === 'string' ? made : `${JSON.stringify(made, null, 2)}\n`;
    parts.push({ name, what, bytes: Buffer.from(text) });
  };
  await part('README.txt', 'what this is', () => readme);
  await part('machine.json', 'versions, hashes of the program, system, board, network addresses', machineFacts);
  await part('config.json', 'keys of the config: numbers, choices, listeners, hosts; other texts as (set)', () =>
    config.loaded ? shareableConfig(config.loaded) : { refused: config.refused },
  );
  await part('state.json', 'status, what wants attention, refused logins, the disk', () => stateOf(isThere(), fit));
  await part('doctor.json', 'findings of gatehouse doctor', () => doctorOf(call, found.runs ? box : null, fit));
  await part('alerts.json', 'alerts, open and over, and how their channels are', () => alertsOf(isThere(), fit));
  await part('audit.json', 'the last changes: what was done, not by whom nor to whom', () => auditOf(isThere(), fit));
  await part('disk.json', 'file system, disk, sizes in the data directory', () => diskFacts(dataDir ?? '.'));
  await part('tables.json', 'sizes of the tables of the store', () => tableSizes(dataDir ?? '.'));
  await part('metrics.txt', 'figures as Prometheus reads them', () =>
    found.runs && config.loaded ? metricsOf(config.loaded.config.listen.metrics, fit) : '',
  );
  await part('log.txt', 'the last lines of the log of the running box', () =>
    found.runs ? logOf(isThere(), fit) : '',
  );
  await part('journal.txt', 'the newest lines of the journal of the service', () => journal(fit));
  return parts;
}

const readme = `Collected by \`gatehouse support\` for somebody who helps with this box.

A number in brackets, such as [7], stands for a text that may name a person or be somebody's words: the
same number for the same text in all files of this bundle. Ids of devices that the box knows are as they
are. "not_available" says why a part could not be made. docs/operating/support.md describes the files.
`;

/** Config in force; refused: where and why, without what was written there. */
function configIn(call: Call): { readonly loaded: LoadedConfig | null; readonly refused: unknown } {
  try {
    return { loaded: loadedConfigOf(call), refused: null };
  } catch (error) {
    if (!(error instanceof FileRefused)) throw error;
    const refused = error.complaints.map(({ where, path, reason }) => ({
      where,
      // A key that nobody knows may be anything that was pasted.
      ...(reason.startsWith('unknown key') ? { reason: 'unknown key' } : { path, reason }),
    }));
    return { loaded: null, refused };
  }
}

const shareableConfig = async (loaded: LoadedConfig) => shareableKeys(await withPages(loaded).catch(() => loaded));

/** Call on a box whose config is refused: by its data directory, the named one or a usual one. */
function withoutConfig(call: Call): Call {
  const places = [call.env.GATEHOUSE_DATA_DIR, defaultDataDir, installedDataDir];
  const named = textOption(call, 'data-dir') ?? places.find(place => place && existsSync(resolvePath(place, call.cwd)));
  const { GATEHOUSE_CONFIG: _, ...env } = call.env;
  const dataDir = named === undefined ? {} : { 'data-dir': resolvePath(named, call.cwd) };
  return { ...call, env, options: { ...call.options, config: undefined, ...dataDir } };
}

/** The box, running or on its store; null: neither can be asked, and why. */
async function boxIn(
  call: Call,
  dataDir: string | null,
): Promise<{ readonly box: BoxClient | null; readonly runs: boolean; readonly why: object | null }> {
  try {
    const running = await boxThatRuns(call);
    if (running) return { box: running, runs: true, why: null };
    return { box: dataDir === null ? null : await stoppedBox(call, dataDir), runs: false, why: null };
  } catch (error) {
    const why = error instanceof StoreOpenError ? { not_available: error.message } : unavailable(error);
    return { box: null, runs: false, why };
  }
}

/** Ids of the devices of the site file; none where they cannot be read. */
const deviceIds = async (box: BoxClient): Promise<string[]> => {
  const site = await box.get('/site').catch(() => null);
  return (site?.devices ?? []).map(one => one.device_id);
};

async function doctorOf(call: Call, running: BoxClient | null, fit: Pseudonyms): Promise<object> {
  const checks: unknown[] = [];
  const done = await examine(call, running, async ({ name, of, state, ms, error, code, params }) => {
    checks.push({ check: name, ...(fit.report({ of, state, ms, error, code, params }) as object) });
  });
  return { running: running !== null, done, checks };
}
