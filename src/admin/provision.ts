import { z } from '@hono/zod-openapi';
import { explainSetup } from '../platform/setup-result.ts';
import { passwordForms } from '../platform/wifi-password.ts';
import { wifiSecurities } from '../platform/wifi-security.ts';
import {
  type FoundDevice,
  type InfoOutcome,
  type ProvisionEvent,
  SiteDeviceFailure,
  type SiteDevices,
  type VerifyOutcome,
  type WifiOutcome,
} from '../provisioning/index.ts';
import type { ProvisioningReads, ReadPart } from '../store/index.ts';
import { type Described, described } from '../words/described.ts';
import type { Params } from '../words/sentences.ts';
import { siteDeviceFailures } from '../words/site-devices.ts';
import { linesOf } from './lines.ts';
import { byCommand, type Call, linesOperation, operation, type Report, type Running, resource } from './operation.ts';

const via = z.enum(['bluetooth', 'hotspot']).optional();
const host = z.object({ host: z.string().min(1).max(255), port: z.number().int().min(1).max(65_535) }).optional();
const target = z
  .object({
    target: z.string().max(120).default(''),
    via,
    host,
    hotspotKey: z.string().max(64).optional(),
    leave: z.boolean().optional(),
  })
  .refine(value => value.target !== '' || value.host !== undefined, {
    error: 'target: name a device',
    path: ['target'],
  });
const bodies = {
  scan: z.object({ seconds: z.number().min(1).max(120).optional(), via }),
  info: target,
  verify: target,
  wifi: target.safeExtend({
    ssid: z.string().min(1).max(32),
    key: z.string().max(64).default(''),
    security: z.enum(wifiSecurities).optional(),
    form: z.enum(passwordForms as ['fold', 'repeat']).optional(),
  }),
} as const;

/** Its steps, and last what the run came to, or why it came to nothing. */
export type ProvisionLine<Outcome> =
  | { readonly event: ProvisionEvent }
  | { readonly outcome: Outcome }
  | {
      readonly failure: {
        readonly code: string;
        readonly message: string;
        /** Code of the sentence; one `code` may have several. */
        readonly message_code?: string | undefined;
        readonly params?: Params | undefined;
      };
    };

const run = <Name extends keyof typeof bodies, Outcome>(name: Name, audited: Described, summary: Described) =>
  linesOperation({
    method: 'post',
    path: `/provision/${name}`,
    role: 'admin',
    audited,
    summary,
    body: bodies[name],
    returns: described(
      'One JSON object a line: {"event": {step, message}} for each step, and last {"outcome": …} or {"failure": {code, message, message_code, params}}',
      '每行一个 JSON 对象：每一步为 {"event": {step, message}}，最后为 {"outcome": …} 或 {"failure": {code, message, message_code, params}}',
    ),
    line: z.custom<ProvisionLine<Outcome>>(),
    eachAtOnce: true,
  });

const result = z.object({
  device_id: z.string(),
  model: z.string(),
  at: z.number(),
  via: z.string(),
  status: z.number(),
  error: z.number().nullable(),
  message: z.string().describe(described('One sentence: what, why, and what to do', '一句话：什么、为什么、怎么办')),
  mac: z.string(),
  address: z.string(),
  mask: z.string(),
  gateway: z.string(),
});
const network = z.object({
  ssid: z.string(),
  security: z.string(),
  quality: z.number().describe(described('Percent', '百分比')),
});
/** The last result of its network configuration that a device announced (SPEC 4.5). */
export type ProvisionResultReport = Report<typeof result>;

const provisionOperations = {
  scan: run<'scan', { readonly devices: readonly FoundDevice[] }>(
    'scan',
    described('looked for devices nearby', '搜索附近的设备'),
    described('Looks for devices that wait to be set up', '搜索等待配网的设备'),
  ),
  info: run<'info', InfoOutcome>(
    'info',
    described('asked a device nearby who it is', '读取附近设备的信息'),
    described('Asks a device who it is', '读取附近设备的信息'),
  ),
  verify: run<'verify', VerifyOutcome>(
    'verify',
    described('verified a device nearby', '核验附近的设备'),
    described(
      'Checks whether a device has the key of its product (SPEC 5.4)',
      '核验设备是否持有其产品的密钥（规范 5.4）',
    ),
  ),
  wifi: run<'wifi', WifiOutcome>(
    'wifi',
    described('set up the network of a device', '为设备配置网络'),
    described('Gives a device its wifi network, and waits for what comes of it', '把 Wi-Fi 网络发给设备，并等待结果'),
  ),
  networks: operation({
    method: 'get',
    path: '/provision/networks',
    role: 'admin',
    summary: described(
      'Wifi networks that the box sees, the strongest first; none where it has no wifi. Takes up to 12 s',
      '网关可见的 Wi-Fi 网络，信号强的在前；网关没有 Wi-Fi 时为空。最长 12 秒',
    ),
    returns: described('The networks', '网络'),
    answer: z.object({ networks: z.array(network) }),
  }),
  results: operation({
    method: 'get',
    path: '/provision/results',
    role: 'viewer',
    summary: described(
      'The last result of its network configuration that each device announced, the last heard of first',
      '各设备最近一次报告的配网结果，最近收到的在前',
    ),
    query: z.object({ limit: z.coerce.number<number>().int().min(1).max(2000).default(100) }),
    returns: described('The results', '结果'),
    answer: z.object({ results: z.array(result) }),
  }),
};
/** Devices that are to be set up. A caller that goes away ends its run. */
export type ProvisionAdmin = Running<typeof provisionOperations>;

const provisionAdmin = (
  { scan, networks, info, verify, setWifi }: SiteDevices,
  read: ProvisioningReads,
): ProvisionAdmin => ({
  scan: (asked = {}, call) => stepsOf(asked, call, scan),
  info: (asked, call) => stepsOf(asked, call, info),
  verify: (asked, call) => stepsOf(asked, call, verify),
  wifi: (asked, call) => stepsOf(asked, call, setWifi),
  networks: async (_, call = byCommand) => ({ networks: [...(await networks(call.signal))] }),
  results: ({ limit }) => provisionResults(read, limit),
});

const provisionResults = async (read: ProvisioningReads, limit: number) => ({
  results: (await read.deviceSetups(limit)).map(({ deviceId, message, ...rest }) => ({
    device_id: deviceId,
    ...rest,
    message: `${explainSetup(rest.status, rest.error)}${message === '' ? '' : `; the device says "${message}"`}`,
  })),
});

function stepsOf<Asks, Outcome>(
  asked: Asks,
  { signal }: Call = byCommand,
  act: (asked: Asks, onEvent: (event: ProvisionEvent) => void, signal?: AbortSignal) => Promise<Outcome>,
): AsyncIterable<ProvisionLine<Outcome>> {
  const ending = new AbortController();
  signal?.addEventListener('abort', () =>
    ending.abort(new SiteDeviceFailure('too_long', siteDeviceFailures.say('run_caller_gone'))),
  );
  return linesOf(async write => {
    try {
      write({ outcome: await act(asked, event => write({ event }), ending.signal) });
    } catch (error) {
      if (!(error instanceof SiteDeviceFailure)) throw error;
      const { reason, code, params } = error.said;
      write({ failure: { code: error.code, message: reason, message_code: code, params } });
    }
  });
}

export const provisionResource = resource(
  provisionOperations,
  ({ store, siteDevices }: { readonly store: ReadPart<ProvisioningReads>; readonly siteDevices: SiteDevices }) =>
    provisionAdmin(siteDevices, store.read),
  ({ store }: { readonly store: ReadPart<ProvisioningReads> }) => ({
    results: ({ limit }) => provisionResults(store.read, limit),
  }),
);
