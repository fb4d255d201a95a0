import { chmodSync, existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { createInterface } from 'node:readline/promises';
import { machineNames, makeRegion, type RegionRecord, whyNoRegion } from '../operations/index.ts';
import { realClock } from '../runtime/real-world.ts';
import { type Call, CommandFailed, type Run, textOption, WrongUsage } from './command.ts';

const recordName = 'region.json';

/** `region init FOLDER --machines A,B,C …`: a folder with everything for each of three machines. */
export const regionInit: Run = async call => {
  const folder = resolve(call.cwd, call.arguments[0]!);
  const before = recordIn(folder);
  const addresses = textOption(call, 'machines') ?? before?.choices.addresses.join() ?? (await askedFor(call));
  const choices = {
    addresses: addresses.split(/[\s,]+/).filter(one => one !== ''),
    names: (call.options.name as readonly string[] | undefined) ?? before?.choices.names ?? [],
    environment: (textOption(call, 'environment') ?? before?.choices.environment ?? 'production') as 'production',
    backups: textOption(call, 'backups') ?? before?.choices.backups ?? null,
    files: textOption(call, 'files') ?? before?.choices.files ?? null,
    postgresql: versionOf(textOption(call, 'postgresql')) ?? before?.choices.postgresql ?? 15,
  };
  const why = whyNoRegion(choices);
  if (why !== null) throw new WrongUsage(why);
  const sealKey = sealKeyOf(call);
  const { record, files } = await makeRegion(choices, before, realClock.now(), sealKey);
  for (const name of machineNames) rmSync(join(folder, name), { recursive: true, force: true });
  write(join(folder, recordName), `${JSON.stringify(record, null, 2)}\n`);
  write(join(folder, 'ca.pem'), record.authorities.region.cert);
  for (const [path, { text }] of files) write(join(folder, path), text);
  await call.print(whatNext(folder, choices.addresses));
};

/** Throws CommandFailed where the folder holds something else than a region. */
function recordIn(folder: string): RegionRecord | null {
  if (!existsSync(folder)) return null;
  const file = join(folder, recordName);
  if (existsSync(file)) return JSON.parse(readFileSync(file, 'utf8')) as RegionRecord;
  if (readdirSync(folder).length === 0) return null;
  throw new CommandFailed(`${folder}: holds something else than a region: name a new folder`);
}

/** Base64; undefined: none was named. */
function sealKeyOf(call: Call): string | undefined {
  const file = textOption(call, 'seal-key');
  if (file === undefined) return undefined;
  const path = resolve(call.cwd, file);
  const key = existsSync(path) ? readFileSync(path) : Buffer.alloc(0);
  if (key.length !== 32) throw new CommandFailed(`${file}: is no keys/seal.key of a box, which has 32 bytes`);
  return key.toString('base64');
}

async function askedFor(call: Call): Promise<string> {
  if (!call.stdin.isTTY) throw new WrongUsage('--machines is missing: write three addresses, with commas between');
  const lines = createInterface({ input: call.stdin, output: call.stderr });
  try {
    const addresses: string[] = [];
    for (const name of machineNames) addresses.push((await lines.question(`address of machine ${name}: `)).trim());
    return addresses.join();
  } finally {
    lines.close();
  }
}

function versionOf(written: string | undefined): number | undefined {
  if (written === undefined) return undefined;
  const version = Number(written);
  if (!Number.isInteger(version) || version < 15)
    throw new WrongUsage(`--postgresql "${written}": write a major version, 15 or newer`);
  return version;
}

/** For its owner's eyes alone, as everything in the folder: most of it is a secret. */
function write(file: string, content: string | Uint8Array): void {
  mkdirSync(dirname(file), { recursive: true, mode: 0o700 });
  writeFileSync(file, content, { mode: 0o600 });
  chmodSync(file, 0o600);
}

const whatNext = (folder: string, addresses: readonly string[]): string =>
  [
    `${folder}: holds everything for three machines. What is to be done now:`,
    ...machineNames.flatMap((name, index) => [
      `${index + 1}. scp -rp ${join(folder, name)} root@${addresses[index]}:region`,
      `   ssh root@${addresses[index]} 'sh region/install.sh && rm -r region'`,
    ]),
    '4. On one of them: gatehouse doctor --region',
    `5. Give devices and boxes ${join(folder, 'ca.pem')}, which they are to trust.`,
    `6. Keep ${folder} offline, as the keys of a safe: it has all passwords, the key that the store is sealed with, and what issues certificates. It is needed to renew certificates, to replace a machine, and to open a backup of the database. Leave no other copy of it anywhere.`,
    '',
  ].join('\n');
