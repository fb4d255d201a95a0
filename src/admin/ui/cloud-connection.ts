import { z } from '@hono/zod-openapi';
import { type Config, keepSecrets, type PageKey } from '../../config/index.ts';
import type { Check } from '../../platform/checks.ts';
import { settingSubjects } from '../../words/audit-settings.ts';
import { described } from '../../words/described.ts';
import { linesOf } from '../lines.ts';
import { byCommand, linesOperation, operation, type Report, type Running } from '../operation.ts';
import { refused } from '../problem.ts';
import { secretAgain } from '../settings-sent.ts';
import { type ChangedKeys, type PageSettingParts, restartSoon, restartsWith } from './page-settings.ts';

/** The fields of the page, with the keys of the config that they are. */
const keys = {
  mode: 'upstream.mode',
  device_mqtt: 'upstream.device_mqtt',
  device_http: 'upstream.device_http',
  ca: 'upstream.ca',
  product_id: 'box.product_id',
  device_sn: 'box.device_sn',
  access_key: 'box.access_key',
} as const satisfies Readonly<Record<string, PageKey>>;
type Field = keyof typeof keys;
const fields = Object.keys(keys) as Field[];

const mode = z.enum(['per-device', 'gateway', 'batch']);
const address = z.string().max(1000);
const connection = {
  mode: mode.describe(described('As `upstream.mode` in the config', '与配置文件中的 `upstream.mode` 相同')),
  device_mqtt: address.describe(described('mqtts://…; empty: none', 'mqtts://…；空表示没有')),
  device_http: address.describe(described('https://…; empty: none', 'https://…；空表示没有')),
  ca: z
    .string()
    .max(32_000)
    .describe(
      described('Root certificates to trust beside the usual ones, as PEM', '除常用根证书外另行信任的根证书，PEM 格式'),
    ),
  product_id: z.string().max(64).describe(described('Of the gateway', '网关的 product_id')),
  device_sn: z.string().max(64).describe(described('Of the gateway', '网关的序列号')),
};
const sent = z.object({
  ...connection,
  access_key: z
    .string()
    .max(1000)
    .nullable()
    .describe(described('null: it stays as it is; empty: none', 'null 表示保持不变；空表示没有')),
});
type Sent = z.output<typeof sent>;

/** Destination and identity of the key, for `keepSecrets`. */
const withSecret = z.object({
  mode: z.string().meta({ besideSecret: true }),
  ...{ device_mqtt: z.string(), device_http: z.string(), ca: z.string() },
  ...{ product_id: z.string(), device_sn: z.string(), access_key: z.string().meta({ secret: true }) },
});

const report = z.object({
  ...connection,
  has_access_key: z.boolean(),
  fixed: z
    .record(z.string(), z.string())
    .describe(
      described(
        'Fields that the config fixes, with where it does, such as gatehouse.yaml:3:9',
        '由配置文件固定的字段及其位置，如 gatehouse.yaml:3:9',
      ),
    ),
  waiting: z.number().describe(described('Records that wait for the cloud', '等待上传的记录数')),
});
type ConnectionReport = Report<typeof report>;

const wrong = described(
  'A value is wrong: the title is its key, such as upstream.device_mqtt',
  '某个值有误：标题为其配置项，如 upstream.device_mqtt',
);
const fixed = 'fixed: the config fixes a value that differs';

export const cloudConnectionOperations = {
  report: operation({
    method: 'get',
    path: '/settings/cloud',
    role: 'admin',
    summary: described(
      "The devices' connection to the cloud, and what the config fixes of it",
      '设备数据到云平台的连接，以及由配置文件固定的部分',
    ),
    returns: described('The connection, without the key', '连接设置，不含密钥'),
    answer: report,
  }),
  change: operation({
    method: 'put',
    path: '/settings/cloud',
    role: 'admin',
    audited: described('changed the cloud connection', '修改云平台连接'),
    summary: described(
      'Sets the connection to the cloud. The gateway restarts in place where something changed',
      '设置云平台连接；有更改时网关随即重新启动',
    ),
    body: sent,
    returns: described('Whether something changed, and the gateway restarts', '是否有更改并重新启动'),
    answer: z.object({ restarts: z.boolean() }),
    failures: {
      400: secretAgain,
      409: described(
        `${fixed}; no_restart: this gateway cannot restart itself`,
        'fixed：配置文件固定了不同的值；no_restart：网关不能自行重新启动',
      ),
      422: wrong,
    },
  }),
  test: linesOperation({
    method: 'post',
    path: '/settings/cloud/test',
    role: 'admin',
    audited: described('tested a cloud connection', '测试云平台连接'),
    summary: described(
      'Tries a connection up to the login, and keeps nothing of it',
      '测试连接直至登录，不保存任何设置',
    ),
    body: sent,
    returns: described(
      'One JSON object a line: {"check": …} as each is done, and last {"done": true}, or {"done": false} where another test is not done yet',
      '每行一个 JSON 对象：每完成一项为 {"check": …}，最后为 {"done": true}；另一次检测尚未完成时为 {"done": false}',
    ),
    line: z.union([z.object({ check: z.custom<Check>() }), z.object({ done: z.boolean() })]),
    eachAtOnce: true,
    failures: { 400: secretAgain, 409: described(fixed, 'fixed：配置文件固定了不同的值'), 422: wrong },
  }),
};

interface ConnectionParts extends PageSettingParts {
  readonly doctor: {
    tryCloud(config: Config, onCheck: (check: Check) => void, signal?: AbortSignal): Promise<boolean>;
  };
  readonly upstream: { status(): Promise<{ readonly outbox: { readonly waiting: number } }> };
}

export function cloudConnection({
  config,
  doctor,
  upstream,
  ...parts
}: ConnectionParts): Running<typeof cloudConnectionOperations> {
  const { pageSettings } = parts;
  const now = valuesOf(config);

  /** Values that differ from those in force, and the config with them. Throws a refusal. */
  const read = (asked: Sent) => {
    const filled = Object.fromEntries(Object.entries(asked).filter(([, value]) => value !== ''));
    // A key of the config goes wherever an admin sends it: nobody can type it here.
    const isKeyFixed = now.access_key !== undefined && pageSettings.fixedBy(keys.access_key) !== null;
    const key = isKeyFixed && asked.access_key === null ? { access_key: now.access_key } : {};
    const kept = keepSecrets(withSecret, { ...filled, ...key }, now);
    if (!kept.ok) throw refused(400, 'secret_again', kept.why);
    const wanted = kept.settings as Partial<Record<Field, string>>;
    const differ = fields.filter(field => (wanted[field] ?? '') !== (now[field] ?? ''));
    const change: ChangedKeys = Object.fromEntries(differ.map(field => [keys[field], wanted[field] || null]));
    return { wanted, differ, change, config: restartsWith(parts, change) };
  };

  return {
    async report() {
      const { access_key: key, ...shown } = now;
      const { outbox } = await upstream.status();
      const fixes = fields.flatMap(field => {
        const where = pageSettings.fixedBy(keys[field]);
        return where === null ? [] : [[field, where]];
      });
      const open = { ...empty, ...shown } as Pick<ConnectionReport, keyof typeof connection>;
      return { ...open, has_access_key: key !== undefined, fixed: Object.fromEntries(fixes), waiting: outbox.waiting };
    },

    async change(asked, call = byCommand) {
      const { wanted, differ, change } = read(asked);
      const said = differ.map(field =>
        (field === 'access_key' || field === 'ca' ? [field] : [field, now[field] ?? '', wanted[field] ?? '']).join(
          '\t',
        ),
      );
      call.subject(settingSubjects.say('page_settings', { changes: said.join('\n') }));
      if (differ.length === 0) return { restarts: false };
      await restartSoon(parts, change);
      return { restarts: true };
    },

    test(asked, call = byCommand) {
      const tried = read(asked);
      const { product_id: product, device_sn: sn } = tried.config.box;
      call.subject(
        `${product}_${sn} ${[tried.wanted.device_mqtt, tried.wanted.device_http].filter(Boolean).join(' ')}`,
      );
      return linesOf(async write => {
        const done = await doctor.tryCloud(tried.config, check => write({ check }), call.signal);
        write({ done });
      });
    },
  };
}

const empty = { mode: 'per-device', device_mqtt: '', device_http: '', ca: '', product_id: '', device_sn: '' };

function valuesOf({ upstream, box }: Config): Partial<Record<Field, string>> {
  const { mode = 'per-device', device_mqtt, device_http, ca } = upstream ?? {};
  const { product_id, device_sn, access_key } = box;
  const all = { mode, device_mqtt, device_http, ca, product_id, device_sn, access_key };
  return Object.fromEntries(Object.entries(all).filter(([, value]) => value !== undefined));
}
