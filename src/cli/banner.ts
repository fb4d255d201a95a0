import { networkInterfaces } from 'node:os';
import { join } from 'node:path';
import type { BoxStatus } from '../admin/index.ts';
import type { Box } from '../box/index.ts';
import { type Config, parseAddress } from '../config/index.ts';
import { putFile } from '../operations/index.ts';
import type { Log } from '../runtime/log.ts';
import { realClock } from '../runtime/real-world.ts';
import { programVersion } from '../runtime/version.ts';
import { onOneLine } from './printable.ts';
import { lineInWords } from './status.ts';

/** Facts for a person who stands at the box. */
interface Banner {
  readonly name: string;
  readonly deviceId: string;
  /** Where the web UI is, by address. */
  readonly open: readonly string[];
  /** Setup code; null once somebody has an account. */
  readonly setupCode: string | null;
  /** Hotspot; null if a phone cannot set the box up now. */
  readonly hotspot: { readonly name: string; readonly key: string | null; readonly page: string } | null;
  readonly line: string;
  /** Empty: all is well. */
  readonly trouble: string;
}

const fileName = 'issue';
const lookMs = 5000;

/**
 * Text that the console of an appliance shows above its login prompt, as agetty reads it. Setup
 * code and hotspot password are for people at the box: root alone reads the file.
 */
export function bannerText(banner: Banner): string {
  const { open, setupCode, hotspot } = banner;
  const rows = [
    ...(open.length > 0 ? open.map(url => ['open', url]) : [['open', 'no network yet']]),
    ...(setupCode === null ? [] : [['setup code', `${setupCode} (for the first account)`]]),
    ...(hotspot === null
      ? []
      : [
          ['hotspot', hotspot.name],
          ['password', hotspot.key ?? 'none: the hotspot is open'],
          ['then open', hotspot.page],
        ]),
    ['line', banner.line],
    ...(banner.trouble === '' ? [] : [['TROUBLE', banner.trouble]]),
  ];
  const lines = [
    `Gatehouse ${programVersion}  ${banner.name}  ${banner.deviceId}`,
    ...rows.map(([name, value]) => `  ${name!.padEnd(11)} ${value}`),
  ];
  return `${lines.map(plain).join('\n')}\n\n`;
}

/** No sign that moves a cursor, and none that agetty takes for a word of its own. */
const plain = (text: string): string => onOneLine(text).replaceAll('\\', '\\\\');

/**
 * Keeps the banner in the folder that systemd made for this run (`RuntimeDirectory=`); elsewhere
 * there is no console to show it on. Looks every five seconds.
 */
export function showBanner(box: Box, config: Config, env: NodeJS.ProcessEnv, log: Log): Disposable {
  const folder = env.RUNTIME_DIRECTORY?.split(':')[0];
  const ending = new AbortController();
  const show = async () => {
    let shown = '';
    let warned = false;
    while (folder && !ending.signal.aborted) {
      try {
        const text = bannerText(await bannerOf(box, config));
        if (text !== shown) putFile(join(folder, fileName), text, { mode: 0o600, owner: null });
        shown = text;
      } catch (error) {
        if (!warned) log.warn({ error: (error as Error).message }, 'console_not_written');
        warned = true;
      }
      await realClock.sleep(lookMs, ending.signal);
    }
  };
  show().catch(() => {}); // ends by the signal alone
  return { [Symbol.dispose]: () => ending.abort() };
}

async function bannerOf({ admin, accounts, addresses, provisioning, site }: Box, config: Config): Promise<Banner> {
  const status = await admin.status.report();
  const page = provisioning.report().hotspot;
  return {
    name: site.name,
    deviceId: `${config.box.product_id}_${config.box.device_sn}`.toUpperCase(),
    open: reachedAt(addresses.https),
    setupCode: await accounts.setupCode(),
    hotspot: page === null ? null : { ...(await provisioning.hotspot()), page: `http://${page.replace(/:80$/, '')}` },
    line: lineInWords({ ...status, line: withoutTimes(status.line) }, realClock.now()),
    trouble: status.disk.state === 'ok' ? '' : status.disk.why,
  };
}

/** Without what changes every second: the console is not a clock. */
const withoutTimes = (line: BoxStatus['line']): BoxStatus['line'] => ({ ...line, since: null, next_try_at: null });

/** By every address of this machine that others can reach. */
function reachedAt(listener: string | null): string[] {
  const bound = parseAddress(listener ?? '');
  if (!bound) return [];
  const port = bound.port === 443 ? '' : `:${bound.port}`;
  if (bound.host !== '0.0.0.0' && bound.host !== '::') return [`https://${listener!.replace(/:443$/, '')}`];
  return Object.values(networkInterfaces())
    .flat()
    .filter(one => one !== undefined && !one.internal && one.family === 'IPv4')
    .map(one => `https://${one!.address}${port}`);
}
