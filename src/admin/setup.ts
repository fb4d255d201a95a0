import { z } from '@hono/zod-openapi';
import type { Site } from '../platform/site.ts';
import type { Provisioning } from '../provisioning/index.ts';
import type { Clock } from '../runtime/clock.ts';
import type { ProvisioningReads, ProvisioningWrites, ReadPart, SetupAttempt } from '../store/index.ts';
import { described } from '../words/described.ts';
import { radioFaults } from '../words/own-network.ts';
import { codedIn, whyIn, whyOf } from '../words/sentences.ts';
import { operation, type Report, type Running, resource } from './operation.ts';
import { refused, saidShape, sentenceShape } from './problem.ts';
import { done } from './shapes.ts';
import type { Writing } from './writing.ts';

const setup = z.object({
  mode: z
    .enum(['off', 'stopped', 'ready', 'waiting', 'opening', 'open', 'trying'])
    .describe(
      described(
        'stopped: what the store of a stopped box tells. The others: docs/provisioning.md',
        'stopped：停止的网关的存储所记。其他见 docs/provisioning.md',
      ),
    ),
  since: z.number().nullable(),
  why: z.string(),
  ...sentenceShape,
  name: z
    .string()
    .nullable()
    .describe(described('The broadcast name; null on a stopped box', '广播的名称；网关停止时为 null')),
  hotspot: z.string().nullable().describe(described("Where the hotspot's page is now", '热点的网页现在的地址')),
  bluetooth: z
    .string()
    .nullable()
    .describe(
      described(
        'Null: phones can find the box by Bluetooth. Otherwise why not',
        'null：手机可以通过蓝牙找到网关。否则为不能的原因',
      ),
    ),
  bluetooth_said: saidShape,
  last: z
    .object({
      status: z.number(),
      error: z.number().nullable(),
      message: z.string(),
      ...sentenceShape,
      ssid: z.string(),
      at: z.number(),
    })
    .nullable()
    .describe(described('In the codes of SPEC 3.4 and 7.6', '按规范 3.4 和 7.6 的代码')),
});
/** How the box's own network was set up, or is being set up by a phone. */
type SetupReport = Report<typeof setup>;

const setupOperations = {
  report: operation({
    method: 'get',
    path: '/setup',
    role: 'viewer',
    summary: described(
      'Whether a phone may set the box up now, under which name, and how the last attempt went',
      '手机现在能否设置网关、使用的名称、上次的结果',
    ),
    returns: described('The report', '报告'),
    answer: setup,
  }),
  // By POST: so it needs the role admin, and the password stands in no history.
  hotspot: operation({
    method: 'post',
    path: '/setup/hotspot',
    role: 'admin',
    audited: described('started the set-up hotspot', '启动设置热点'),
    summary: described("The hotspot's name and password, for the box's label", '热点的名称和密码，用于网关标签'),
    returns: described('Both; the password null where the hotspot is open', '二者；热点不设密码时密码为 null'),
    answer: z.object({ name: z.string().nullable(), key: z.string().nullable() }),
  }),
  resetNetwork: operation({
    method: 'post',
    path: '/setup/reset-network',
    role: 'admin',
    audited: described('reset the network', '重置网络'),
    summary: described(
      'Forgets the wifi network and lets a phone set the box up again',
      '清除 Wi-Fi 网络，使手机可以重新设置网关',
    ),
    returns: described('Done', '已完成'),
    answer: done,
  }),
  resetAll: operation({
    method: 'post',
    path: '/reset-all',
    role: 'admin',
    audited: described('reset the box to factory state', '恢复出厂设置'),
    summary: described(
      'Removes everything that the box holds and restarts it as it left the shelf; `name` is that of the site',
      '删除网关上的一切并恢复出厂状态后重新启动；`name` 为站点名称',
    ),
    body: z.object({ name: z.string().max(200) }),
    returns: described('Whether it restarts now, or when it is started by hand', '立即重新启动，还是由人启动'),
    answer: z.object({ outcome: z.enum(['starts_anew', 'at_next_start']) }),
    failures: { 422: described('This is not the name of the site', '不是站点的名称') },
  }),
};
type SetupAdmin = Running<typeof setupOperations>;

/** `resetAll` returns whether the box starts again by itself. */
const setupAdmin = (
  provisioning: Pick<Provisioning, 'report' | 'hotspot' | 'reset'>,
  resetAll: () => Promise<boolean>,
  site: Pick<Site, 'name'>,
): SetupAdmin => ({
  async report() {
    const { mode, since, why, name, hotspot, bluetooth, last } = provisioning.report();
    const phones = {
      bluetooth: bluetooth?.reason ?? null,
      bluetooth_said: bluetooth && (codedIn(bluetooth) ?? null),
    };
    return { mode, since, ...whyIn(why), name, hotspot, ...phones, last: lastOf(last) };
  },
  hotspot: async () => provisioning.hotspot(),
  async resetNetwork() {
    await provisioning.reset();
    return { done: true };
  },
  async resetAll({ name }) {
    if (name.trim() !== site.name.trim())
      throw refused(422, 'wrong_name', 'this is not the name of the site: nothing was changed');
    return { outcome: (await resetAll()) ? 'starts_anew' : 'at_next_start' };
  },
});

function lastOf(last: SetupAttempt | null): SetupReport['last'] {
  if (last === null) return null;
  const { why, ...attempt } = last;
  return { ...attempt, message: why.reason, ...codedIn(why) };
}

/** Steps of set-up as the store of a stopped box tells them. */
const stoppedSetup = ({
  store,
  writing,
  clock,
}: {
  readonly store: ReadPart<ProvisioningReads>;
  readonly writing: Writing<ProvisioningWrites>;
  readonly clock: Clock;
}) => ({
  report: () => stoppedReport(store),
  hotspot: async () => ({ name: null, key: await store.read.hotspotKey() }),
  async resetNetwork() {
    await writing(write => write.noteNetworkSetup({ state: 'reset', changedAt: clock.now(), ssid: '' }));
    return { done: true as const };
  },
});

async function stoppedReport({ read }: ReadPart<ProvisioningReads>): Promise<SetupReport> {
  const kept = await read.networkSetup();
  const why = {
    new: radioFaults.say('never_set_up'),
    done: radioFaults.say('set_up_for', { ssid: kept?.ssid ?? '' }),
    reset: radioFaults.say('set_up_again'),
  };
  return {
    mode: 'stopped',
    since: kept?.changedAt ?? null,
    ...whyOf(why[kept?.state ?? 'new']),
    name: null,
    hotspot: null,
    bluetooth: null,
    bluetooth_said: null,
    last: lastOf(kept?.last ?? null),
  };
}

export const setupResource = resource(
  setupOperations,
  ({
    provisioning,
    resetAll,
    site,
  }: {
    readonly provisioning: Pick<Provisioning, 'report' | 'hotspot' | 'reset'>;
    resetAll(): Promise<boolean>;
    readonly site: Pick<Site, 'name'>;
  }) => setupAdmin(provisioning, resetAll, site),
  stoppedSetup,
);
