import './welcome.css';
import type { ComponentChildren } from 'preact';
import { useMemo } from 'preact/hooks';
import type { LiveStatus } from '../../../src/admin/ui/live.ts';
import { put } from '../api.ts';
import { status } from '../live.ts';
import { useLoaded } from '../loaded.ts';
import { useDoing } from '../parts/doing.ts';
import { Loading, ProblemNotice } from '../parts/notices.tsx';
import { now } from '../parts/now.ts';
import { moment, span } from '../parts/numbers.ts';
import { whySaid } from '../parts/reasons.ts';
import { type StandingRow, titleOf } from '../parts/standing.tsx';
import { may, session } from '../session.ts';
import { area } from '../words/index.ts';

const clockOffMs = 30_000;

const words = area(
  {
    sentence: (left: number) => (left === 0 ? 'Set-up complete' : left === 1 ? '1 step left' : `${left} steps left`),
    done: 'done',
    open: 'to do',
    account: 'Administrator account',
    accountDone: (name: string) => `Signed in as ${name}. Invite your colleagues:`,
    users: 'Users',
    place: 'Place and clock',
    placeIs: (site: string, zone: string) => `Site: ${site}. Time zone: ${zone}, used for attendance and payroll.`,
    otherZone: (own: string) => `Time zone of this device: ${own}.`,
    confirm: 'Confirm',
    settings: 'Edit',
    clockRight: (at: string) => `Clock is correct (matches this device): ${at}.`,
    clockWrong: (at: string, off: string) =>
      `Clock: ${at}, ${off} off from this device. Set the time, or devices cannot connect.`,
    cloud: 'Cloud connection',
    cloudUp: 'Connected to the cloud.',
    cloudAlone: 'No cloud configured. All data stays on this gateway.',
    cloudLater: 'Cloud configured. Connects with the first device.',
    cloudAway: (why: string) => `Cloud offline: ${why}`,
    test: 'Test network',
    devices: 'Devices',
    devicesKnown: (online: number, known: number) => `${online} of ${known} online.`,
    devicesNone: (mqtts: number | null, https: number | null) =>
      `Connect devices to this address, ${[mqtts === null ? '' : `port ${mqtts} (MQTT over TLS)`, https === null ? '' : `port ${https} (HTTPS)`].filter(Boolean).join(' or ')}. Devices need the trust store of this gateway, and their product must be registered here.`,
    refusedDevices: 'Rejected devices',
    commission: 'Set up devices',
    certificates: 'Trust store',
    recoveryKey: 'Recovery key',
    recoveryKeyDone: 'Backups are encrypted with the recovery key, which is kept off this gateway.',
    recoveryKeyNone: 'Create the key that opens backups, print or download it, and confirm that it is kept.',
    recoveryKeyUnconfirmed: 'Key created. Confirm that it is kept, or create a new one.',
    recoveryKeyGo: 'Recovery key',
    backup: 'Backup',
    backupDone: (at: string) => `Last backup: ${at}.`,
    backupNone: 'Back up once devices are connected, or restore the backup of another gateway.',
    backupGo: 'Backup and restore',
    today: 'Go to Today',
  },
  {
    sentence: left => (left === 0 ? '设置已完成' : `还差 ${left} 步`),
    done: '已完成',
    open: '待办',
    account: '管理员账号',
    accountDone: name => `当前账号：${name}。为同事创建账号：`,
    users: '用户',
    place: '地点和时钟',
    placeIs: (site, zone) => `站点名称：${site}；时区：${zone}（用于考勤和工资计算）。`,
    otherZone: own => `本设备时区：${own}。`,
    confirm: '确认',
    settings: '更改',
    clockRight: at => `时钟正确（与本设备一致）：${at}。`,
    clockWrong: (at, off) => `时钟：${at}，与本设备相差 ${off}。请校准时间，否则设备无法连接。`,
    cloud: '云平台连接',
    cloudUp: '已连接云平台。',
    cloudAlone: '未配置云平台，数据全部保存在本机。',
    cloudLater: '已配置云平台，首台设备接入时连接。',
    cloudAway: why => `与云平台断开：${why}`,
    test: '检测网络',
    devices: '设备',
    devicesKnown: (online, known) => `共 ${known} 台，在线 ${online} 台。`,
    devicesNone: (mqtts, https) =>
      `请让设备连接本网关地址的${[mqtts === null ? '' : ` ${mqtts} 端口（MQTT，TLS 加密）`, https === null ? '' : ` ${https} 端口（HTTPS）`].filter(Boolean).join('或')}。设备须安装本网关的信任证书，产品须在此登记。`,
    refusedDevices: '被拒设备',
    commission: '添加设备',
    certificates: '信任证书',
    recoveryKey: '恢复密钥',
    recoveryKeyDone: '备份已用恢复密钥加密，密钥在网关以外保管。',
    recoveryKeyNone: '生成打开备份的密钥，打印或下载后确认已保管。',
    recoveryKeyUnconfirmed: '密钥已生成。请确认已保管，或重新生成。',
    recoveryKeyGo: '恢复密钥',
    backup: '备份',
    backupDone: at => `最近一次备份：${at}。`,
    backupNone: '设备接入后请备份一次，也可恢复另一台网关的备份。',
    backupGo: '备份与恢复',
    today: '进入首页',
  },
);

/**
 * Steps that are left to do on a new box: what the box itself says wants a person, so that the set-up
 * can be continued later or on another phone.
 */
export default function Welcome() {
  const { loaded, reload } = useLoaded('/system');
  const { busy, refused, run } = useDoing();
  const said = words.value;
  const { data, problem } = loaded.value;
  // How much the two clocks differ is known only at the moment of the response.
  const off = useMemo(() => (data ? Math.abs(data.now - Date.now()) : 0), [data]);
  if (!data || !status.value) return problem ? <ProblemNotice problem={problem} again={reload} /> : <Loading />;
  const { line, devices } = status.value;
  const site = session.value!.site;
  const clockIsRight = off < clockOffMs;
  const rows = status.value.standing ?? [];
  const of = (...kinds: StandingRow['kind'][]) => rows.filter(({ kind }) => kinds.includes(kind));
  const isDone = (...kinds: StandingRow['kind'][]) => of(...kinds).length === 0;
  const deviceRows = of('no_device', 'never', 'approval', 'rejected');
  const done = {
    place: clockIsRight && isDone('zone', 'box_clock'),
    cloud: isDone('line'),
    devices: deviceRows.length === 0,
    // A region's list has neither: its steps count as done, and are not shown.
    recoveryKey: isDone('recovery_key'),
    backup: isDone('no_backup', 'backup'),
  };
  const left = Object.values(done).filter(one => !one).length;
  const own = Intl.DateTimeFormat().resolvedOptions().timeZone;
  const at = moment(now.value);
  const confirmZone = () => run(() => put('/settings', { timezone: site.timezone }));
  return (
    <>
      <h1 class="sentence">{said.sentence(left)}</h1>
      <ol class="way-steps">
        <Step title={said.account} done>
          {said.accountDone(session.value?.user?.name ?? '')} <a href="/system/users">{said.users}</a>
        </Step>
        <Step title={said.place} done={done.place}>
          {clockIsRight ? said.clockRight(at) : said.clockWrong(at, span(off))} {said.placeIs(site.name, site.timezone)}{' '}
          {own === site.timezone ? '' : `${said.otherZone(own)} `}
          {!isDone('zone') && may('admin') && (
            <button type="button" class="act go" disabled={busy.value} onClick={() => void confirmZone()}>
              {said.confirm}
            </button>
          )}{' '}
          <a href="/system/settings">{said.settings}</a>
        </Step>
        <Step title={said.cloud} done={done.cloud}>
          {cloudWords(line)} <a href="/system/network">{said.test}</a>
        </Step>
        <Step title={said.devices} done={done.devices}>
          {devices.known > 0
            ? [said.devicesKnown(devices.online, devices.known), ...deviceRows.map(titleOf)].join(' ')
            : said.devicesNone(data.ports.mqtts, data.ports.https)}{' '}
          <a href="/devices">{said.refusedDevices}</a> <a href="/commission">{said.commission}</a>{' '}
          <a href="/system/certificates">{said.certificates}</a>
        </Step>
        {data.backup !== null && (
          <>
            <Step title={said.recoveryKey} done={done.recoveryKey}>
              {done.recoveryKey
                ? said.recoveryKeyDone
                : data.backup.has_recovery_key
                  ? said.recoveryKeyUnconfirmed
                  : said.recoveryKeyNone}{' '}
              <a href="/system/backup">{said.recoveryKeyGo}</a>
            </Step>
            <Step title={said.backup} done={done.backup}>
              {data.backup.last_at === null ? said.backupNone : said.backupDone(moment(data.backup.last_at))}{' '}
              <a href="/system/backup">{said.backupGo}</a>
            </Step>
          </>
        )}
      </ol>
      <ProblemNotice problem={refused.value} />
      <p>
        <a href="/">{said.today}</a>
      </p>
    </>
  );
}

function cloudWords(line: LiveStatus['line']): string {
  const { state, since } = line;
  const said = words.value;
  if (state === 'up') return said.cloudUp;
  if (state === 'none') return said.cloudAlone;
  return since === null ? said.cloudLater : said.cloudAway(whySaid(line));
}

function Step({ title, done, children }: { title: string; done: boolean; children: ComponentChildren }) {
  return (
    <li class={done ? 'done' : undefined}>
      <h2>
        {title} <span class={done ? 'ok' : 'warn'}>{done ? `✓ ${words.value.done}` : words.value.open}</span>
      </h2>
      <p>{children}</p>
    </li>
  );
}
