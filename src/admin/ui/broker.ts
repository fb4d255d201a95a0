import { z } from '@hono/zod-openapi';
import { settingSubjects } from '../../words/audit-settings.ts';
import { described } from '../../words/described.ts';
import { byCommand, operation, type Running } from '../operation.ts';
import { refused } from '../problem.ts';
import { type PageSettingParts, restartSoon, restartsWith } from './page-settings.ts';

const key = 'listen.events';
const listen = z
  .string()
  .max(300)
  .describe(
    described(
      'As `listen.events` in the config: off, 127.0.0.1:1884, or 0.0.0.0:8884, which speaks TLS',
      '与配置文件中的 `listen.events` 相同：off、127.0.0.1:1884，或使用 TLS 的 0.0.0.0:8884',
    ),
  );
const found = z
  .enum(['answers', 'silent', 'free', 'taken', 'not_allowed', 'no_such_address'])
  .describe(
    described(
      'Of the address in use: answers or silent, as a client on this gateway finds it. Of another: whether it can be opened',
      '使用中的地址：answers 或 silent，即本机客户端能否连接；其他地址：能否打开',
    ),
  );

const wrong = described('A value is wrong: the title is its key', '某个值有误：标题为其配置项');
const fixed = described('fixed: the config fixes the address', 'fixed：地址由配置文件固定');

export const brokerOperations = {
  report: operation({
    method: 'get',
    path: '/settings/broker',
    role: 'admin',
    summary: described(
      'Where event subscribers connect, and whether the config fixes it',
      '事件订阅的连接地址，以及是否由配置文件固定',
    ),
    returns: described('The address', '地址'),
    answer: z.object({
      listen,
      fixed_by: z
        .string()
        .nullable()
        .describe(described('Where the config fixes it; null: it does not', '配置文件中的位置；null：未固定')),
      running: z
        .string()
        .nullable()
        .describe(described('The address that is open; null: none', '已打开的地址；null：没有')),
    }),
  }),
  change: operation({
    method: 'put',
    path: '/settings/broker',
    role: 'admin',
    audited: described('changed the event broker', '修改事件服务'),
    summary: described(
      'Sets where event subscribers connect. The gateway restarts in place where something changed',
      '设置事件订阅的连接地址；有更改时网关随即重新启动',
    ),
    body: z.object({ listen }),
    returns: described('Whether something changed, and the gateway restarts', '是否有更改并重新启动'),
    answer: z.object({ restarts: z.boolean() }),
    failures: {
      409: described(
        'fixed: the config fixes the address; taken, not_allowed, no_such_address: it cannot be opened; no_restart: this gateway cannot restart itself',
        'fixed：地址由配置文件固定；taken、not_allowed、no_such_address：无法打开；no_restart：网关不能自行重新启动',
      ),
      422: wrong,
    },
  }),
  test: operation({
    method: 'post',
    path: '/settings/broker/test',
    role: 'admin',
    audited: described('tested the event broker', '测试事件服务'),
    summary: described(
      'Connects to the address in use as a client does, or tries whether another can be opened',
      '以客户端身份连接使用中的地址，或检查其他地址能否打开',
    ),
    body: z.object({ listen }),
    returns: described('What was found', '结果'),
    answer: z.object({ found }),
    failures: { 409: fixed, 422: wrong },
  }),
};

interface BrokerParts extends PageSettingParts {
  readonly broker: { try(listen: string): Promise<z.output<typeof found>> };
  readonly events: { broker(): { readonly address: string } | null };
}

export function broker({ config, events, broker: tried, ...parts }: BrokerParts): Running<typeof brokerOperations> {
  const now = config.listen.events;
  /** Refuses what the config fixes, and a value that does not fit the rest of it. */
  const check = (wanted: string) => {
    if (wanted !== now) restartsWith(parts, { [key]: wanted });
  };
  return {
    report: async () => ({
      listen: now,
      fixed_by: parts.pageSettings.fixedBy(key),
      running: events.broker()?.address ?? null,
    }),

    async change({ listen: wanted }, call = byCommand) {
      call.subject(
        settingSubjects.say('page_settings', { changes: wanted === now ? '' : `${key}\t${now}\t${wanted}` }),
      );
      if (wanted === now) return { restarts: false };
      check(wanted);
      const opened = wanted === 'off' ? 'free' : await tried.try(wanted);
      if (opened !== 'free' && opened !== 'answers')
        throw refused(409, opened, `listen.events ${wanted}: cannot be opened (${opened})`);
      await restartSoon(parts, { [key]: wanted });
      return { restarts: true };
    },

    async test({ listen: wanted }, call = byCommand) {
      call.subject(wanted);
      check(wanted);
      return { found: wanted === 'off' ? 'free' : await tried.try(wanted) };
    },
  };
}
