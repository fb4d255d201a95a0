import { existsSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { makeSetupCode } from '../accounts/index.ts';
import {
  FileRefused,
  type Identity,
  identityFileName,
  loadConfig,
  readIdentity,
  readSiteFile,
  readWifiFile,
  writeIdentity,
} from '../config/index.ts';
import {
  asUser,
  type FileOwner,
  isRoot,
  machineSerial,
  makeFolder,
  putFile,
  removeFile,
  syncFolder,
  systemUser,
} from '../operations/index.ts';
import { keyfileName, keyfileOf, makeHotspotKey } from '../provisioning/index.ts';
import { realClock } from '../runtime/real-world.ts';
import { clearReset, isSettingsReset, settleSettingsReset } from '../store/index.ts';
import { applyTo } from './apply.ts';
import { Card } from './card.ts';
import { type Call, type Run, textOption } from './command.ts';
import { ownStore } from './stopped-box.ts';

const boxUser = 'gatehouse';
const configName = 'gatehouse.yaml';
/** The first config of an image; this one if it has none. */
const shippedConfig = '/usr/lib/gatehouse/image/gatehouse.yaml';
const emptyConfig =
  '# The config of this box, key by key in docs/config.md. To change it, put a gatehouse.yaml on the card and start the box.\n';

/** Where this box keeps its settings, and their owners. */
interface Home {
  readonly configDir: string;
  readonly dataDir: string;
  readonly networkDir: string;
  /** Owners to set; null if not running as root, so that owners are left as they are. */
  readonly owners: { readonly config: FileOwner; readonly data: FileOwner } | null;
}

/**
 * `take-settings DIR`: before the box starts, applies the files that an installer put on the card:
 * all of a file, or nothing of it.
 */
export const takeSettings: Run = async call => {
  const card = new Card(resolve(call.cwd, call.arguments[0]!));
  const home = homeOf(call);
  makeFolder(home.configDir, { mode: 0o750, owner: home.owners?.config ?? null });
  makeFolder(home.dataDir, { mode: 0o700, owner: home.owners?.data ?? null });

  await goOnWithReset(home);
  await card.take('identity.yaml', name => settleIdentity(home, { file: name, cwd: card.folder }));
  await card.settle(() => settleIdentity(home, null));
  await card.take(configName, name => takeConfig(home, card, name));
  if (!existsSync(join(home.configDir, configName)))
    putConfig(home, configName, existsSync(shippedConfig) ? readFileSync(shippedConfig) : emptyConfig);
  await card.take('site.yaml', name => takeSite(call, home, card, name));
  await card.take('wifi.yaml', name => takeWifi(call, home, card, name));

  card.tellProblems();
  for (const name of card.taken) await call.print(`${name}: in force\n`);
  for (const problem of card.problems) call.tell(problem);
  return card.problems.length > 0 ? 1 : 0;
};

function homeOf(call: Call): Home {
  const folder = (option: string, usual: string) => resolve(call.cwd, textOption(call, option) ?? usual);
  const user = isRoot() ? systemUser(boxUser) : null;
  return {
    configDir: folder('config-dir', '/etc/gatehouse'),
    dataDir: folder('data-dir', '/var/lib/gatehouse'),
    networkDir: folder('network-dir', '/etc/NetworkManager/system-connections'),
    owners: user && { config: { uid: 0, gid: user.gid }, data: user },
  };
}

/**
 * Carries out a reset that was asked for while the box ran: first the data, then the settings that
 * belong to root, before the card is read.
 */
async function goOnWithReset({ configDir, dataDir, networkDir, owners }: Home): Promise<void> {
  const asBox = (act: (dataDir: string) => void) => asUser(owners?.data ?? null, async () => act(dataDir));
  await asBox(clearReset);
  if (!isSettingsReset(dataDir)) return;
  for (const name of readdirSync(configDir))
    if (name !== identityFileName) rmSync(join(configDir, name), { recursive: true, force: true });
  syncFolder(configDir);
  if (existsSync(networkDir))
    for (const name of readdirSync(networkDir))
      if (/^gatehouse-.*\.nmconnection$/.test(name)) removeFile(join(networkDir, name));
  await asBox(settleSettingsReset);
}

const putConfig = (home: Home, name: string, content: string | Uint8Array): void => {
  makeFolder(dirname(join(home.configDir, name)), { mode: 0o750, owner: home.owners?.config ?? null });
  putFile(join(home.configDir, name), content, { mode: 0o640, owner: home.owners?.config ?? null });
};

/**
 * Merges the card's identity over the box's own and generates what both lack. Returns the files
 * that were taken with it.
 */
function settleIdentity(home: Home, source: { file: string; cwd: string } | null): string[] {
  const file = join(home.configDir, identityFileName);
  const before = existsSync(file) ? readFileSync(file, 'utf8') : null;
  // A damaged identity is replaced by the card's.
  const kept: Identity = before === null || source ? keptIdentity(file) : readIdentity(file, home.configDir);
  const said = source ? readIdentity(source.file, source.cwd) : {};
  const identity = {
    'box.device_sn': machineSerial(),
    'box.setup_code': makeSetupCode(),
    'provisioning.hotspot_key': makeHotspotKey(),
    ...kept,
    ...said,
    data_dir: home.dataDir,
  };
  const text = writeIdentity(identity);
  if (text !== before) putConfig(home, identityFileName, text);
  return [];
}

function keptIdentity(file: string): Identity {
  try {
    return existsSync(file) ? readIdentity(file, dirname(file)) : {};
  } catch (error) {
    if (error instanceof FileRefused) return {};
    throw error;
  }
}

function takeConfig(home: Home, card: Card, name: string): string[] {
  const { config, origin, files } = loadConfig({
    file: name,
    identity: join(home.configDir, identityFileName),
    env: {},
    cwd: card.folder,
  });
  if (config.data_dir !== home.dataDir) {
    const reason = `on this box it is ${home.dataDir}: remove the key`;
    throw new FileRefused([{ where: origin(['data_dir']), line: 0, column: 0, path: 'data_dir', reason }]);
  }
  const beside = card.beside(name, files, [configName, identityFileName]);
  // The files first: the config takes effect with its rename.
  for (const one of beside) putConfig(home, one, readFileSync(join(card.folder, one)));
  putConfig(home, configName, readFileSync(join(card.folder, name)));
  return beside;
}

/** Applies the site file to the store; no copy of it is kept. */
async function takeSite(call: Call, home: Home, card: Card, name: string): Promise<string[]> {
  const read = readSiteFile(name, card.folder);
  const input = { site: read.site, prune: false, dryRun: false };
  const outcome = await asUser(home.owners?.data ?? null, () => applyTo(boxOf(call, home), input));
  if (!outcome.ok) throw read.refused(outcome.problems);
  return card.beside(name, read.files);
}

async function takeWifi(call: Call, home: Home, card: Card, name: string): Promise<string[]> {
  const wifi = readWifiFile(name, card.folder);
  const beside = card.beside(name, wifi.files);
  // A network that was reset is forgotten by the box at its start; this one is new.
  if (existsSync(join(home.dataDir, 'gatehouse.db')))
    await asUser(home.owners?.data ?? null, async () => {
      await using store = await ownStore(boxOf(call, home), home.dataDir);
      await store.write.noteNetworkSetup({ state: 'new', changedAt: realClock.now(), ssid: '' });
    });
  const root = home.owners && { uid: 0, gid: 0 };
  makeFolder(home.networkDir, { mode: 0o700, owner: root });
  putFile(join(home.networkDir, keyfileName), keyfileOf(wifi), { mode: 0o600, owner: root });
  for (const other of readdirSync(home.networkDir))
    if (/^gatehouse-wifi-.*\.nmconnection$/.test(other)) removeFile(join(home.networkDir, other));
  return beside;
}

/** The box of these folders, as `--config` and `--data-dir` would name it. */
const boxOf = (call: Call, home: Home): Call => ({
  ...call,
  env: {},
  options: { config: join(home.configDir, configName), 'data-dir': home.dataDir },
});
