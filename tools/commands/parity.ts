import { randomBytes } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { type Call, CommandFailed, flag, type Run, textOption, WrongUsage } from '../../src/cli/command.ts';
import { counted } from '../../src/cli/wording.ts';
import { readSiteFile, type SiteFile } from '../../src/config/index.ts';
import { realClock } from '../../src/runtime/real-world.ts';
import { trustOf } from '../../src/upstream/index.ts';
import { expectedDifferences } from '../parity/expected.ts';
import { comparePlatforms, type Difference, type ParityReport } from '../parity/run.ts';
import { type ParityCall, type ParityKeys, Side } from '../parity/side.ts';

const couldNotAsk = 2;

/**
 * `parity`: exit status 0 where box and cloud answer the same, 1 where they do not, 2 where one of
 * them could not be asked.
 */
export const parity: Run = async call => {
  const box = addressOf(call, 'box');
  const cloud = addressOf(call, 'against');
  const siteFile = textOption(call, 'site');
  if (siteFile === undefined) throw new WrongUsage('--site is missing: a site file with callers that both sides know');
  const keys = keysOf(readSiteFile(siteFile, call.cwd).site);
  if (!keys.attendance && !keys.services && !keys.oauth && keys.deviceId === null)
    throw new CommandFailed(
      `${siteFile} names no caller with its secret: write attendance_callers, apps, oauth_clients or devices that both sides know`,
    );
  const trust = trustOf(certificates(call));
  const sides = {
    box: new Side('box', box, { trust, keys, clock: realClock }),
    cloud: new Side('cloud', cloud, { trust, keys, clock: realClock }),
  };
  try {
    const day = new Date(realClock.now()).toISOString().slice(0, 10);
    const writes = flag(call, 'writes') ? randomBytes(3).toString('hex') : null;
    const report = await comparePlatforms(sides, keys, { clock: realClock, day, writes });
    await call.print(flag(call, 'json') ? `${JSON.stringify(jsonOf(report), null, 2)}\n` : inWords(report, keys));
    if (report.differences.length > 0) return 1;
    return report.unasked.length > 0 ? couldNotAsk : 0;
  } finally {
    sides.box.close();
    sides.cloud.close();
  }
};

function addressOf(call: Call, name: 'box' | 'against'): string {
  const written = textOption(call, name);
  if (written === undefined) throw new WrongUsage(`--${name} is missing: write an address such as https://HOST:8443`);
  if (!/^https?:\/\/[^/]+\/?$/i.test(written))
    throw new WrongUsage(`--${name} "${written}": write an address such as https://HOST:8443`);
  return written;
}

/** Several files, one behind the other: the box's authority, and the cloud's. */
function certificates(call: Call): string | undefined {
  const files = call.options.ca;
  if (!Array.isArray(files) || files.length === 0) return undefined;
  return files
    .map((file: string) => {
      try {
        return readFileSync(resolve(call.cwd, file), 'utf8');
      } catch (error) {
        throw new CommandFailed(`--ca ${file}: cannot be read: ${(error as Error).message}`);
      }
    })
    .join('\n');
}

/** The first caller of each kind that has its secret. */
function keysOf(site: SiteFile): ParityKeys {
  const caller = site.attendance_callers?.find(one => one.app_secret !== undefined);
  const app = site.apps?.find(one => one.app_key !== undefined);
  const client = site.oauth_clients?.find(one => one.client_secret !== undefined);
  return {
    attendance: caller ? { appKey: caller.app_key, appSecret: caller.app_secret! } : null,
    services: app ? { appId: app.app_id, appKey: app.app_key! } : null,
    oauth: client ? { clientId: client.client_id, clientSecret: client.client_secret! } : null,
    deviceId: site.devices?.[0]?.device_id ?? null,
    appCodes: [...new Set(site.app_upgrades?.map(one => one.app_code))].slice(0, 20),
  };
}

function inWords({ differences, compared, unasked }: ParityReport, keys: ParityKeys): string {
  const lines: string[] = [];
  for (const [call, found] of Map.groupBy(differences, ({ call }) => callInWords(call))) {
    lines.push(`${found[0]!.api}: ${call}`);
    for (const one of found) lines.push(`  ${one.field || 'answer'}: box ${short(one.box)}, cloud ${short(one.cloud)}`);
  }
  for (const { api, side, why } of unasked) lines.push(`${api}: the ${side} could not be asked: ${why}`);
  const absent = [
    keys.attendance ? '' : 'attendance (attendance_callers)',
    keys.services ? '' : 'public services (apps)',
    keys.oauth ? '' : 'OAuth (oauth_clients)',
    keys.deviceId === null ? 'device gateway (devices)' : '',
  ].filter(one => one !== '');
  if (absent.length > 0) lines.push(`not compared, for the site file has no caller: ${absent.join(', ')}`);
  const sums = Object.entries(compared).map(([api, count]) => `${api} ${count}`);
  lines.push(`compared: ${sums.join(', ')}`);
  lines.push('differ by their nature, and only their type is compared:');
  for (const { api, name, why } of expectedDifferences) lines.push(`  ${api === '*' ? '' : `${api} `}${name}: ${why}`);
  lines.push(differences.length === 0 ? 'no difference' : counted(differences.length, 'difference'));
  return `${lines.join('\n')}\n`;
}

const jsonOf = ({ differences, compared, unasked }: ParityReport) => ({
  differences: differences.map(({ api, call, field, box, cloud }: Difference) => ({
    api,
    call: callInWords(call),
    field,
    box: box ?? null,
    cloud: cloud ?? null,
  })),
  compared,
  unasked,
  expected: expectedDifferences.map(({ api, name, why }) => ({ api, field: name, why })),
});

/** Without the signature; a secret in a query is masked. */
function callInWords({ method, path, command, body, raw, headers = {} }: ParityCall): string {
  const said = Object.entries(headers).map(([name, value]) =>
    value === null ? `without ${name}` : `${name}: ${value}`,
  );
  return [
    method,
    path.replace(/(client_secret=)[^&]*/, '$1***'),
    command ?? '',
    raw ?? (body === undefined ? '' : JSON.stringify(body)),
    said.length === 0 ? '' : `(${said.join(', ')})`,
  ]
    .filter(one => one !== '')
    .join(' ');
}

const shownMax = 120;
function short(value: unknown): string {
  const text = value === undefined ? 'has none' : JSON.stringify(value);
  return text.length > shownMax ? `${text.slice(0, shownMax)}…` : text;
}
