import { dirname, resolve } from 'node:path';
import { z } from 'zod';
import { ssidBytesMax } from '../platform/ssid.ts';
import { keyProblem, readWifiSecurity, type ScannedSecurity, wifiSecurities } from '../platform/wifi-security.ts';
import { didYouMean } from '../runtime/did-you-mean.ts';
import { resolvePath } from '../runtime/resolve-path.ts';
import { type Complaint, FileRefused, type PathStep } from './complaint.ts';
import { readValue } from './files.ts';
import { optionalText, text, yesOrNo } from './kinds.ts';
import type { NamedFile } from './load.ts';
import { readYaml } from './yaml-source.ts';

/** A wifi network that an installer names on the card. */
interface WifiFile {
  readonly ssid: string;
  /** Empty: open. */
  readonly key: string;
  /** Undefined: WPA and WPA2, as the router has it, or open where there is no key. */
  readonly security: ScannedSecurity | undefined;
  readonly hidden: boolean;
  /** The file that holds the key, where one was named. */
  readonly files: readonly NamedFile[];
}

const securities: readonly string[] = [...wifiSecurities, 'WPA3-SAE'];

const schema = z.strictObject({
  ssid: text('the name of the network').refine(value => Buffer.byteLength(value) <= ssidBytesMax, {
    error: 'longer than a name of a network may be: 32 bytes (a Chinese character has 3)',
  }),
  key: optionalText(64).default(''),
  security: text(`one of ${securities.join(', ')}`)
    .refine(value => readWifiSecurity(value) !== undefined && readWifiSecurity(value) !== 'WPA2-EAP', {
      error: `write one of ${securities.join(', ')}, or remove the key`,
    })
    .optional(),
  hidden: yesOrNo().default(false),
});
const keys = Object.keys(schema.shape);

/**
 * Reads `wifi.yaml`. Throws `FileRefused` with everything that is wrong; no reason repeats the key.
 */
export function readWifiFile(file: string, cwd: string): WifiFile {
  const source = readYaml(file, cwd);
  const complaints: Complaint[] = [];
  const values = source.values() ?? {};
  const files: NamedFile[] = [];
  if (typeof values.key === 'string' && values.key.startsWith('file:')) {
    const named = resolvePath(values.key, dirname(resolve(cwd, file)));
    files.push({ written: values.key.slice('file:'.length), file: named });
    const read = readValue(named);
    if (!read.ok) complaints.push(source.complaint(['key'], read.reason));
    values.key = read.ok ? read.value : 'unread-value';
  }
  const parsed = schema.safeParse(values);
  for (const issue of parsed.error?.issues ?? []) {
    if (issue.code !== 'unrecognized_keys') complaints.push(source.complaint(issue.path as PathStep[], issue.message));
    else
      for (const key of issue.keys)
        complaints.push(
          source.complaint([key], `unknown key${didYouMean(key, keys) || `: known here are ${keys.join(', ')}`}`, {
            at: 'key',
          }),
        );
  }
  const security = readWifiSecurity(parsed.data?.security ?? '');
  const misfit = parsed.success ? keyProblem(security, parsed.data.key) : null;
  if (misfit) complaints.push(source.complaint(['key'], misfit.reason));
  if (complaints.length > 0 || !parsed.success) throw new FileRefused(complaints);
  return { ...parsed.data, security, files };
}
