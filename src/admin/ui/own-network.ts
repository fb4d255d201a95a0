import { z } from '@hono/zod-openapi';
import type { Config, PageKey } from '../../config/index.ts';
import { timeServersIn } from '../../platform/time-servers.ts';
import { type AddressChanges, AddressUnavailable, triedSeconds, wrongIn } from '../../provisioning/index.ts';
import { settingSubjects } from '../../words/audit-settings.ts';
import { described } from '../../words/described.ts';
import { linesOf } from '../lines.ts';
import { byCommand, linesOperation, operation, type Report, type Running } from '../operation.ts';
import { reasonShape, refused } from '../problem.ts';
import { type ChangedKeys, type PageSettingParts, restartSoon, restartsWith } from './page-settings.ts';

const address = z.object({
  automatic: z.boolean().describe(described('From the router, by DHCP', '由路由器分配（DHCP）')),
  address: z
    .string()
    .max(20)
    .describe(
      described('With its prefix, such as 192.0.2.4/24; automatic: empty', '带前缀，如 192.0.2.4/24；自动时为空'),
    ),
  router: z.string().max(20).describe(described('Automatic: empty', '自动时为空')),
  name_servers: z
    .array(z.string().max(20))
    .max(10)
    .describe(described('At most three; none: those of the router', '最多三个；空表示使用路由器的')),
});
const names = z.object({
  host_name: z
    .string()
    .max(63)
    .describe(described('As `box.host_name` in the config', '与配置文件中的 `box.host_name` 相同')),
  time_servers: z
    .string()
    .max(1000)
    .describe(described('As `box.time_servers` in the config', '与配置文件中的 `box.time_servers` 相同')),
});
type Names = z.output<typeof names>;
const keys = { host_name: 'box.host_name', time_servers: 'box.time_servers' } as const satisfies Readonly<
  Record<keyof Names, PageKey>
>;
const fields = Object.keys(keys) as (keyof Names)[];
const wrong = described('A value is wrong: the title is its field', '某个值有误：标题为其字段');

export const ownNetworkOperations = {
  report: operation({
    method: 'get',
    path: '/network',
    role: 'admin',
    summary: described('The network of the gateway, and what of it can be set', '网关的网络及可设置的部分'),
    returns: described('The network', '网络'),
    answer: z.object({
      host_name: z.string(),
      interfaces: z.array(
        z.object({
          name: z.string(),
          addresses: z
            .array(z.string())
            .describe(described('With their prefix, such as 192.0.2.4/24', '带前缀，如 192.0.2.4/24')),
        }),
      ),
      router: z
        .string()
        .nullable()
        .describe(described('Of the default route; null: there is none', '默认路由的地址；null：没有')),
      name_servers: z.array(z.string()),
      settings: address
        .extend({ name: z.string() })
        .nullable()
        .describe(
          described(
            'Of the interface that leads everywhere else; null: it cannot be set here',
            '通往外部网络的网卡的设置；null：不能在此设置',
          ),
        ),
      settings_why: z
        .object(reasonShape)
        .nullable()
        .describe(described('Why it cannot be set here', '不能在此设置的原因')),
      trial: z
        .object({
          state: z.enum(['trying', 'kept', 'returned']),
          address: z.string().nullable().describe(described('null: from the router', 'null：由路由器分配')),
          until: z.number().describe(described('When the former address comes back', '恢复原地址的时间')),
        })
        .nullable()
        .describe(described('The last change of the address since the start', '本次启动以来最近一次地址更改')),
      names,
      fixed: z
        .record(z.string(), z.string())
        .describe(
          described(
            'Names that the config fixes, with where it does, such as gatehouse.yaml:3:9',
            '由配置文件固定的字段及其位置，如 gatehouse.yaml:3:9',
          ),
        ),
    }),
  }),
  changeAddress: operation({
    method: 'put',
    path: '/network/address',
    role: 'admin',
    audited: described('changed the IP address of the gateway', '修改网关的 IP 地址'),
    summary: described(
      'Sets the address after a moment. The former one comes back unless an admin has used the new one in time',
      '稍后设置新地址；管理员没有按时使用新地址时恢复原地址',
    ),
    body: address,
    returns: described('Seconds in which an admin has to use it', '管理员须在多少秒内使用新地址'),
    answer: z.object({ seconds: z.number() }),
    failures: {
      409: described(
        'trying: another change is not decided; unavailable: the system does not let it be set',
        'trying：上一次更改尚未确定；unavailable：系统不允许设置',
      ),
      422: wrong,
    },
  }),
  changeNames: operation({
    method: 'put',
    path: '/network/names',
    role: 'admin',
    audited: described('changed the host name or the time servers', '修改主机名或时间服务器'),
    summary: described(
      'Sets host name and time servers; empty: those of the system. The gateway restarts in place where something changed',
      '设置主机名和时间服务器，空表示使用系统的；有更改时网关随即重新启动',
    ),
    body: names,
    returns: described('Whether something changed, and the gateway restarts', '是否有更改并重新启动'),
    answer: z.object({ restarts: z.boolean() }),
    failures: {
      409: described(
        'fixed: the config fixes a value that differs; no_restart: this gateway cannot restart itself',
        'fixed：配置文件固定了不同的值；no_restart：网关不能自行重新启动',
      ),
      422: wrong,
    },
  }),
  testTimeServers: linesOperation({
    method: 'post',
    path: '/network/time-servers/test',
    role: 'admin',
    audited: described('tested time servers', '测试时间服务器'),
    summary: described('Asks each time server once', '逐一查询时间服务器'),
    body: names.pick({ time_servers: true }),
    returns: described('One JSON object a line', '每行一个 JSON 对象'),
    line: z.object({
      server: z.string(),
      found: z.enum(['answers', 'no_such_name', 'silent', 'not_synchronized']),
      ahead_ms: z
        .number()
        .nullable()
        .describe(described("How far the gateway's clock is ahead", '网关时钟超前的毫秒数')),
    }),
    eachAtOnce: true,
    failures: { 422: wrong },
  }),
};

interface NetworkParts extends PageSettingParts {
  ownNetwork(): {
    readonly hostName: string;
    readonly interfaces: readonly { readonly name: string; readonly addresses: readonly string[] }[];
    readonly router: { readonly address: string } | null;
    readonly nameServers: readonly string[];
  };
  readonly addressChanges: Pick<AddressChanges, 'read' | 'try' | 'trial'>;
  askTimeServer(
    host: string,
  ): Promise<
    | { readonly found: 'answers'; readonly aheadMs: number }
    | { readonly found: 'no_such_name' | 'silent' | 'not_synchronized' }
  >;
}

type NetworkReport = Report<typeof ownNetworkOperations.report.answer>;

export function networkOf({
  ownNetwork,
  addressChanges,
  askTimeServer,
  config,
  ...parts
}: NetworkParts): Running<typeof ownNetworkOperations> {
  const now = namesOf(config);

  return {
    async report() {
      const { hostName, interfaces, router, nameServers } = ownNetwork();
      const fixes = fields.flatMap(field => {
        const where = parts.pageSettings.fixedBy(keys[field]);
        return where === null ? [] : [[field, where]];
      });
      return {
        ...{ host_name: hostName, interfaces, router: router?.address ?? null, name_servers: nameServers },
        ...(await settingsOf(addressChanges)),
        trial: addressChanges.trial(),
        names: now,
        fixed: Object.fromEntries(fixes),
      };
    },

    async changeAddress({ automatic, address: host, router, name_servers: nameServers }, call = byCommand) {
      const wanted = automatic
        ? { isAutomatic: true, address: '', router: '', nameServers }
        : { isAutomatic: false, address: host, router, nameServers };
      const field = wrongIn(wanted);
      if (field) throw refused(422, field, `${field}: wrong`);
      const before = await addressChanges.read().catch(unavailable);
      if (addressChanges.trial()?.state === 'trying')
        throw refused(409, 'trying', 'another change of the address is not decided yet: wait until it is');
      call.subject(settingSubjects.say('page_settings', { changes: differences(before, wanted) }));
      // The answer is out before the address changes.
      void addressChanges.try(wanted, answerMs);
      return { seconds: triedSeconds };
    },

    async changeNames(asked, call = byCommand) {
      const differ = fields.filter(field => asked[field].trim() !== now[field]);
      const change: ChangedKeys = Object.fromEntries(differ.map(field => [keys[field], asked[field].trim() || null]));
      const said = differ.map(field => [field, now[field], asked[field].trim()].join('\t'));
      call.subject(settingSubjects.say('page_settings', { changes: said.join('\n') }));
      restartsWith(parts, change);
      if (differ.length === 0) return { restarts: false };
      await restartSoon(parts, change);
      return { restarts: true };
    },

    testTimeServers({ time_servers: asked }, call = byCommand) {
      const servers = timeServersIn(asked);
      call.subject(asked);
      if (!servers) throw refused(422, keys.time_servers, 'box.time_servers: not host names or addresses');
      return linesOf(async write => {
        for (const server of servers) {
          const { found, ...answer } = await askTimeServer(server);
          write({ server, found, ahead_ms: 'aheadMs' in answer ? answer.aheadMs : null });
        }
      });
    },
  };
}

/** The answer of a change is out before the address changes. */
const answerMs = 500;

const namesOf = ({ box }: Config): Names => ({ host_name: box.host_name ?? '', time_servers: box.time_servers ?? '' });

function unavailable(error: unknown): never {
  throw error instanceof AddressUnavailable ? refused(409, 'unavailable', error.said) : error;
}

async function settingsOf(
  changes: NetworkParts['addressChanges'],
): Promise<Pick<NetworkReport, 'settings' | 'settings_why'>> {
  try {
    const { name, isAutomatic, nameServers, ...shown } = await changes.read();
    return { settings: { name, automatic: isAutomatic, ...shown, name_servers: nameServers }, settings_why: null };
  } catch (error) {
    if (!(error instanceof AddressUnavailable)) throw error;
    return { settings: null, settings_why: error.said };
  }
}

interface Shown {
  readonly isAutomatic: boolean;
  readonly address: string;
  readonly router: string;
  readonly nameServers: readonly string[];
}

function differences(before: Shown, after: Shown): string {
  const lines = (one: Shown) => [
    ['address', one.isAutomatic ? 'DHCP' : one.address],
    ['router', one.router],
    ['name_servers', one.nameServers.join(', ')],
  ];
  const had = lines(before);
  return lines(after)
    .flatMap(([field, value], at) => (value === had[at]![1] ? [] : [[field, had[at]![1], value].join('\t')]))
    .join('\n');
}
