import { mkdirSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { createInterface } from 'node:readline';
import { type Call, CommandFailed, flag, type Run, textOption, WrongUsage } from '../../src/cli/command.ts';
import { readSiteFile, type SiteFile } from '../../src/config/index.ts';
import { openCertificates } from '../../src/operations/index.ts';
import { type CheckInType, checkInTypes } from '../../src/platform/reports.ts';
import { silentLog } from '../../src/runtime/log.ts';
import { realClock, realRandom } from '../../src/runtime/real-world.ts';
import {
  type ApiFaultKind,
  type ApiFaultName,
  type ApiName,
  apiFaultKinds,
  apiNames,
  type CloudEvent,
  type FaultName,
  faultNames,
  listenerNames,
  type SimCloud,
  type SimCloudOptions,
  startSimCloud,
} from '../sim/index.ts';
import { stopAsked } from './sim-device.ts';

/**
 * `sim cloud`: runs until SIGTERM, SIGINT or the line `quit`. Prints `ready {…}` on standard error
 * when it listens.
 */
export const simCloud: Run = async call => {
  const siteFile = textOption(call, 'site');
  if (siteFile === undefined) throw new WrongUsage('--site is missing: its products are the ones that the cloud knows');
  const { site } = readSiteFile(siteFile, call.cwd);
  const listen = Object.fromEntries(
    listenerNames.flatMap(name => {
      const address = textOption(call, name);
      return address === undefined ? [] : [[name, checkedAddress(name, address)]];
    }),
  );
  if (Object.keys(listen).length === 0)
    throw new WrongUsage('write where to listen: --mqtts, --mqtt, --https, --http HOST:PORT');
  const asked = listOption(call, 'fault');
  const faults = Object.fromEntries(asked.filter(one => !isOfApi(one)).map(faultOf));
  const apiFaults = Object.fromEntries(asked.filter(isOfApi).map(apiFaultOf));
  const record = textOption(call, 'record');
  const gateways = listOption(call, 'gateway');
  const phones = countOf('--phone-checkins', textOption(call, 'phone-checkins') ?? '0');
  const stopped = stopAsked();

  await using parts = new AsyncDisposableStack();
  const needsTls = 'mqtts' in listen || 'https' in listen;
  const tlsDir = resolve(call.cwd, textOption(call, 'tls-dir') ?? 'gatehouse-sim-cloud');
  const tls = needsTls ? await certificateIn(tlsDir, parts) : null;
  const cloud = parts.use(
    await startSimCloud({
      clock: realClock,
      random: realRandom,
      products: (site.products ?? []).flatMap(({ product_id, product_key, model }) =>
        product_key === undefined ? [] : [{ product_id, product_key, model }],
      ),
      deviceKeys: Object.fromEntries(
        (site.devices ?? []).flatMap(({ device_id, access_key }) =>
          access_key === undefined ? [] : [[device_id, access_key]],
        ),
      ),
      attendance: attendanceOf(site, call),
      listen,
      faults,
      apiFaults,
      services: servicesOf(site),
      oauth: site,
      ...(tls ? { tls } : {}),
      ...(gateways.length > 0 ? { gateways } : {}),
      ...(flag(call, 'no-limits') ? { limits: false } : {}),
      ...(record === undefined ? {} : { record: resolve(call.cwd, record), keep: 10_000 }),
      onEvent: call.stdout.isTTY ? event => tellEvent(event, call) : () => {},
    }),
  );
  if (phones > 0) withReason(() => cloud.attendance.addPhoneCheckIns({ count: phones }));
  if (needsTls)
    call.tell(`give ${join(tlsDir, 'ca.pem')} to the other side, as \`upstream.ca\` of a box or --ca of a device`);
  call.tell(`ready ${JSON.stringify(cloud.addresses)}`);

  const lines = createInterface({ input: call.stdin });
  const quit = new Promise<void>(done => {
    lines.on('line', line => {
      if (line.trim() === 'quit') done();
      else void steer(cloud, line, call);
    });
  });
  await Promise.race([stopped, quit]);
  lines.close();
  call.stdin.unref?.();
  await call.print(`${JSON.stringify(cloud.stats())}\n`);
  return 0;
};

/** One line of standard input. What is not understood is said, and changes nothing. */
export async function steer(cloud: SimCloud, line: string, call: Pick<Call, 'print' | 'tell'>): Promise<void> {
  const [verb = '', name = '', ...rest] = line.trim().split(/\s+/);
  switch (verb) {
    case '':
      return;
    case 'cut':
      await cloud.cut();
      return call.tell('the line is cut');
    case 'restore':
      await cloud.restore();
      return call.tell('the line is back');
    case 'clear':
      cloud.faults.clear();
      cloud.apiFaults.clear();
      return call.tell('no fault is in force');
    case 'stats':
      return call.print(`${JSON.stringify(cloud.stats())}\n`);
    case 'fault':
      try {
        const written = `${name}=${rest[0] ?? '1'}`;
        if (isOfApi(written)) {
          const [fault, chance] = apiFaultOf(written);
          const [api, kind] = fault.split('.') as [ApiName, ApiFaultKind];
          cloud.apiFaults.set(api, kind, chance);
          return call.tell(`fault ${fault} strikes with a probability of ${chance}`);
        }
        const [fault, chance] = faultOf(written);
        cloud.faults.set({ [fault]: chance });
        return call.tell(`fault ${fault} strikes with a probability of ${chance}`);
      } catch (error) {
        return call.tell((error as Error).message);
      }
    case 'phone':
      try {
        cloud.attendance.addPhoneCheckIns({ count: countOf('phone', name), ...typesOf(rest) });
        return call.tell(`${cloud.attendance.stats().check_ins} check-ins in the cloud`);
      } catch (error) {
        return call.tell((error as Error).message);
      }
    case 'send':
      try {
        return call.tell(`${name}: ${cloud.send(name, JSON.parse(rest.join(' ')))}`);
      } catch {
        return call.tell('write: send DEVICE {"mid":"…","action":…,…}');
      }
    default:
      return call.tell(
        `"${verb}": write cut, restore, fault NAME P, clear, phone N [TYPE…], send DEVICE ENVELOPE, stats or quit`,
      );
  }
}

function faultOf(written: string): [FaultName, number] {
  const [name = ''] = written.split('=');
  if (!faultNames.includes(name as FaultName))
    throw new WrongUsage(
      `fault "${name}": write one of ${faultNames.join(', ')}, or one of an API such as weather.slow`,
    );
  return [name as FaultName, chanceOf(written)];
}

/** `weather.slow=0.1`: a fault of one API. */
const isOfApi = (written: string): boolean => written.split('=')[0]!.includes('.');

function apiFaultOf(written: string): [ApiFaultName, number] {
  const [name = ''] = written.split('=');
  const [api, kind] = name.split('.');
  if (!apiNames.some(one => one === api)) throw new WrongUsage(`fault "${name}": write one of ${apiNames.join(', ')}`);
  if (!apiFaultKinds.some(one => one === kind))
    throw new WrongUsage(`fault "${name}": after the dot one of ${apiFaultKinds.join(', ')}`);
  return [name as ApiFaultName, chanceOf(written)];
}

function chanceOf(written: string): number {
  const [name, chance = '1'] = written.split('=');
  const probability = Number(chance);
  if (!(probability >= 0 && probability <= 1) || chance === '')
    throw new WrongUsage(`fault ${name}: "${chance}" is no probability from 0 to 1`);
  return probability;
}

const attendanceOf = (site: SiteFile, call: Call): SimCloudOptions['attendance'] => ({
  attendance_callers: (site.attendance_callers ?? []).flatMap(({ app_key, app_secret }) =>
    app_secret === undefined ? [] : [{ app_key, app_secret }],
  ),
  departments: site.departments,
  employees: site.employees,
  devices: site.devices,
  ...(flag(call, 'no-limits') ? { callsPerSecond: Number.POSITIVE_INFINITY } : {}),
});

const servicesOf = (site: SiteFile): SimCloudOptions['services'] => ({
  apps: (site.apps ?? []).flatMap(({ app_id, app_key }) => (app_key === undefined ? [] : [{ app_id, app_key }])),
  app_upgrades: site.app_upgrades,
  message_templates: site.message_templates,
});

function countOf(name: string, written: string): number {
  const count = Number(written);
  if (!/^\d+$/.test(written) || count > 100_000_000)
    throw new WrongUsage(`${name} "${written}": write how many, at most 100000000`);
  return count;
}

function typesOf(words: readonly string[]): { types?: readonly CheckInType[] } {
  const unknown = words.find(one => !(checkInTypes as readonly string[]).includes(one));
  if (unknown !== undefined) throw new WrongUsage(`type "${unknown}": write some of ${checkInTypes.join(', ')}`);
  return words.length === 0 ? {} : { types: words as CheckInType[] };
}

function withReason(run: () => void): void {
  try {
    run();
  } catch (error) {
    throw new CommandFailed((error as Error).message);
  }
}

const listOption = (call: Call, name: string): readonly string[] => {
  const value = call.options[name];
  return Array.isArray(value) ? (value as string[]) : [];
};

function checkedAddress(name: string, address: string): string {
  if (!/^(\[[0-9a-f:]+\]|[^:\s]+):\d{1,5}$/i.test(address))
    throw new WrongUsage(`--${name} "${address}": write host:port`);
  return address;
}

async function certificateIn(dir: string, parts: AsyncDisposableStack): Promise<{ cert: string; key: string }> {
  try {
    mkdirSync(dir, { recursive: true });
  } catch (error) {
    throw new CommandFailed(`${dir} cannot be made: ${(error as NodeJS.ErrnoException).code}; name another --tls-dir`);
  }
  const certificates = parts.use(
    await openCertificates({
      dir,
      names: ['localhost'],
      addresses: ['127.0.0.1', '::1'],
      clock: realClock,
      log: silentLog,
    }),
  );
  writeFileSync(join(dir, 'ca.pem'), certificates.caPem);
  return certificates.current();
}

function tellEvent(event: CloudEvent, call: Call): void {
  const time = new Date(realClock.now()).toISOString().slice(11, 19);
  const line = sentenceOf(event);
  if (line) void call.print(`${time} ${line}\n`);
}

function sentenceOf(event: CloudEvent): string {
  switch (event.kind) {
    case 'connected':
      return `${event.deviceId} connected over ${event.via}`;
    case 'left':
      return `${event.deviceId} left`;
    case 'refused':
      return `${event.deviceId} was refused over ${event.via}: ${event.why}`;
    case 'kicked':
      return `${event.deviceId} was thrown out: ${event.why}`;
    case 'dropped':
      return `${event.deviceId}: a log record was dropped, too many in a ${event.why === 'day' ? 'day' : 'second'}`;
    case 'record': {
      const { deviceId, channel, payload } = event.arrival;
      return `${deviceId} ${channel}: ${payload.slice(0, 160)}`;
    }
  }
}
