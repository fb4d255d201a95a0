import './welcome.css';
import type { ComponentChildren } from 'preact';
import { useMemo } from 'preact/hooks';
import type { LiveStatus } from '../../../src/admin/ui/live.ts';
import { status } from '../live.ts';
import { useLoaded } from '../loaded.ts';
import { Loading, ProblemNotice } from '../parts/notices.tsx';
import { now } from '../parts/now.ts';
import { moment, span } from '../parts/numbers.ts';
import { whySaid } from '../parts/reasons.ts';
import { session } from '../session.ts';
import { area } from '../words/index.ts';

const clockOffMs = 30_000;

const words = area(
  {
    sentence: (left: number) =>
      left === 0 ? 'The box is set up.' : left === 1 ? 'One thing is left to do.' : `${left} things are left to do.`,
    done: 'done',
    open: 'to do',
    account: 'The first account',
    accountDone: (name: string) => `You are signed in as ${name}. Make accounts for the others:`,
    users: 'Users',
    place: 'Place and clock',
    placeIs: (site: string, zone: string) => `The site is called ${site}; its time zone is ${zone}.`,
    settings: 'Change them',
    clockRight: (at: string) => `The clock of the box says ${at}, as this device does.`,
    clockWrong: (at: string, off: string) =>
      `The clock of the box says ${at}: ${off} off from this device. Devices with a wrong clock cannot connect: set the time.`,
    cloud: 'The line to the cloud',
    cloudUp: 'The box is connected to the cloud.',
    cloudAlone: 'No cloud is configured: the box stands alone and keeps everything here. That is fine.',
    cloudLater: 'A cloud is configured. The box connects to it when the first device does.',
    cloudAway: (why: string) => `The cloud is not reached: ${why}`,
    test: 'Test the network',
    devices: 'The first devices',
    devicesKnown: (online: number, known: number) => `${known} devices are known, ${online} of them online.`,
    devicesNone: (mqtts: number | null, https: number | null) =>
      `Point a device at this address, ${[mqtts === null ? '' : `port ${mqtts} (MQTT over TLS)`, https === null ? '' : `port ${https} (HTTPS)`].filter(Boolean).join(' or ')}. It needs the trust store of the box, and its product must be known here.`,
    refusedDevices: 'Devices that were refused',
    commission: 'Set one up',
    certificates: 'Trust store',
    recoveryKey: 'Recovery key',
    recoveryKeyDone: 'Backups are encrypted to the recovery key, which is on paper and not on the box.',
    recoveryKeyNone: 'Make the key that opens the backups of this box, and print it. It is shown once.',
    recoveryKeyGo: 'Recovery key',
    backup: 'Backup',
    backupDone: (at: string) => `The last backup is of ${at}.`,
    backupNone: 'Make one when the devices are connected, or start from a backup of another box.',
    backupGo: 'Back up or restore',
    today: 'Go to Today',
  },
  {
    sentence: left => (left === 0 ? '网关已设置完成。' : `还有 ${left} 件事要做。`),
    done: '已完成',
    open: '待办',
    account: '第一个账号',
    accountDone: name => `您已登录为 ${name}。请为其他人创建账号：`,
    users: '用户',
    place: '地点和时钟',
    placeIs: (site, zone) => `站点名称：${site}；时区：${zone}。`,
    settings: '更改',
    clockRight: at => `网关时间为 ${at}，与本设备一致。`,
    clockWrong: (at, off) => `网关时间为 ${at}，与本设备相差 ${off}。时钟错误的设备无法连接，请校准时间。`,
    cloud: '云平台连接',
    cloudUp: '网关已连接云平台。',
    cloudAlone: '没有配置云平台：网关独立运行，数据都保存在本机。这样也可以。',
    cloudLater: '已配置云平台：第一台设备接入时，网关随即连接。',
    cloudAway: why => `无法连接云平台：${why}`,
    test: '检测网络',
    devices: '第一批设备',
    devicesKnown: (online, known) => `已登记 ${known} 台设备，其中 ${online} 台在线。`,
    devicesNone: (mqtts, https) =>
      `请让设备连接本网关地址的${[mqtts === null ? '' : ` ${mqtts} 端口（MQTT，TLS 加密）`, https === null ? '' : ` ${https} 端口（HTTPS）`].filter(Boolean).join('或')}。设备需要安装本网关的信任证书，其产品须在此登记。`,
    refusedDevices: '等待接入的设备',
    commission: '开通设备',
    certificates: '信任证书',
    recoveryKey: '恢复密钥',
    recoveryKeyDone: '备份已用恢复密钥加密。密钥打印在纸上，不保存在网关中。',
    recoveryKeyNone: '请生成用于打开本网关备份的密钥并打印，密钥只显示一次。',
    recoveryKeyGo: '恢复密钥',
    backup: '备份',
    backupDone: at => `最近一次备份：${at}。`,
    backupNone: '设备接入后请做一次备份，也可以用另一台网关的备份开始。',
    backupGo: '备份或恢复',
    today: '进入“今天”',
  },
);

/**
 * Steps that are left to do on a new box. The box itself knows which steps are done, so the set-up
 * can be continued later or on another phone.
 */
export default function Welcome() {
  const { loaded, reload } = useLoaded('/system');
  const said = words.value;
  const { data, problem } = loaded.value;
  // How much the two clocks differ is known only at the moment of the response.
  const off = useMemo(() => (data ? Math.abs(data.now - Date.now()) : 0), [data]);
  if (!data || !status.value) return problem ? <ProblemNotice problem={problem} again={reload} /> : <Loading />;
  const { line, devices } = status.value;
  const site = session.value!.site;
  const clockIsRight = off < clockOffMs;
  // Before the first try nothing is wrong with the line.
  const cloudIsFine = line.state === 'up' || line.state === 'none' || line.since === null;
  const left = [
    clockIsRight,
    cloudIsFine,
    devices.known > 0,
    data.has_recovery_key,
    data.last_backup_at !== null,
  ].filter(done => !done).length;
  const at = moment(now.value);
  return (
    <>
      <h1 class="sentence">{said.sentence(left)}</h1>
      <ol class="way-steps">
        <Step title={said.account} done>
          {said.accountDone(session.value?.user?.name ?? '')} <a href="/system/users">{said.users}</a>
        </Step>
        <Step title={said.place} done={clockIsRight}>
          {clockIsRight ? said.clockRight(at) : said.clockWrong(at, span(off))} {said.placeIs(site.name, site.timezone)}{' '}
          <a href="/system/settings">{said.settings}</a>
        </Step>
        <Step title={said.cloud} done={cloudIsFine}>
          {cloudWords(line)} <a href="/system/network">{said.test}</a>
        </Step>
        <Step title={said.devices} done={devices.known > 0}>
          {devices.known > 0
            ? said.devicesKnown(devices.online, devices.known)
            : said.devicesNone(data.ports.mqtts, data.ports.https)}{' '}
          <a href="/devices">{said.refusedDevices}</a> <a href="/commission">{said.commission}</a>{' '}
          <a href="/system/certificates">{said.certificates}</a>
        </Step>
        <Step title={said.recoveryKey} done={data.has_recovery_key}>
          {data.has_recovery_key ? said.recoveryKeyDone : said.recoveryKeyNone}{' '}
          <a href="/system/backup">{said.recoveryKeyGo}</a>
        </Step>
        <Step title={said.backup} done={data.last_backup_at !== null}>
          {data.last_backup_at === null ? said.backupNone : said.backupDone(moment(data.last_backup_at))}{' '}
          <a href="/system/backup">{said.backupGo}</a>
        </Step>
      </ol>
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
