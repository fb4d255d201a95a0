import { type Found, remedyOf } from './checks.ts';
import { finding, remediesOf } from './findings.ts';
import { inEnglish, type Sentence, sentences, type ValuesOf } from './sentences.ts';

interface Of {
  /** Names of machines, with commas between. */
  readonly machines: string;
}
interface Failed extends Of {
  readonly error: string;
}

const installAgain: Sentence<Of> = {
  en: ({ machines }) =>
    `on ${machines}: systemctl stop patroni etcd, remove /var/lib/etcd/default and /var/lib/etcd/gatehouse, and run install.sh of its folder again; on the machines that are right change nothing`,
  zh: ({ machines }) =>
    `在 ${machines} 上执行 systemctl stop patroni etcd，删除 /var/lib/etcd/default 和 /var/lib/etcd/gatehouse，再运行该机器文件夹中的 install.sh。其他正常的机器不要改动。`,
};
const see = (unit: string): Sentence<Of> => ({
  en: ({ machines }) => `see \`systemctl status ${unit}\` and \`journalctl -u ${unit}\` on ${machines}`,
  zh: ({ machines }) => `请在 ${machines} 上查看 \`systemctl status ${unit}\` 和 \`journalctl -u ${unit}\`。`,
});
const upgradeAll: Sentence<unknown> = {
  en: 'install the same release of the distribution on all machines; docs/region.md names it',
  zh: '请在所有机器上安装同一版本的发行版，版本见 docs/region.md。',
};

/** Of a region (`gatehouse doctor --region`): no page shows them, so that none loads them. */
const texts = {
  etcd: finding(
    ({ count, leader }: { count: number; leader: string }) => `${count} members, one leader: ${leader}`,
    ({ count, leader }) => `${count} 个成员，主节点一个：${leader}`,
  ),
  etcd_silent: finding(
    ({ machines, error }: Failed) => `no answer from ${machines}: ${error}`,
    ({ machines, error }) => `${machines} 没有应答：${error}`,
    see('etcd'),
  ),
  etcd_alone: finding(
    ({ machines }: Of) =>
      `${machines}: a cluster of one member, which elects a leader of its own: two databases may take writes`,
    ({ machines }) => `${machines}：etcd 集群只有一个成员，会自行选主，可能有两个数据库同时写入`,
    installAgain,
  ),
  etcd_divided: finding(
    ({ machines }: Of) => `the machines are in different clusters: ${machines}`,
    ({ machines }) => `各机器不在同一个 etcd 集群中：${machines}`,
    {
      en: 'stop patroni and etcd on the machine that differs, remove /var/lib/etcd/gatehouse there, and run install.sh of its folder again',
      zh: '请在不同的那台机器上停止 patroni 和 etcd，删除 /var/lib/etcd/gatehouse，再运行该机器文件夹中的 install.sh。',
    },
  ),
  etcd_members: finding(
    ({ found }: { found: string }) => `the members are not those of this region: ${found}`,
    ({ found }) => `成员与本区域不符：${found}`,
    {
      en: 'remove the member that does not belong to it with `etcdctl member remove`, or install the one that is missing',
      zh: '请用 `etcdctl member remove` 移除不属于本区域的成员，或安装缺少的成员。',
    },
  ),
  etcd_leaderless: finding('no leader', '没有主节点', {
    en: 'two of three machines have to run and reach each other on port 2380',
    zh: '三台机器中至少两台要运行，并能通过 2380 端口互相连接。',
  }),
  primary: finding(
    ({ machines }: Of) => `one primary: ${machines}`,
    ({ machines }) => `主库一个：${machines}`,
  ),
  primary_none: finding('no primary: nothing is acknowledged', '没有主库，不会确认任何数据', {
    en: 'see `patronictl -c /etc/patroni/config.yml list`; a primary is chosen when etcd has a leader',
    zh: '请查看 `patronictl -c /etc/patroni/config.yml list`。etcd 选出主节点后会选出主库。',
  }),
  primaries: finding(
    ({ machines }: Of) => `two leaders: ${machines} both take writes`,
    ({ machines }) => `有两个主库：${machines} 都在接受写入`,
    {
      en: 'stop gatehouse on all machines at once, then see which database has the newest records and stop patroni on the other; then mend etcd as said above',
      zh: '请立即停止所有机器上的 gatehouse，确认哪个数据库的记录最新，停止另一台上的 patroni，再按上文修复 etcd。',
    },
  ),
  patroni_silent: finding(
    ({ machines, error }: Failed) => `no answer from ${machines}: ${error}`,
    ({ machines, error }) => `${machines} 没有应答：${error}`,
    see('patroni'),
  ),
  standby: finding(
    ({ machines }: Of) => `synchronous: ${machines}`,
    ({ machines }) => `同步备库：${machines}`,
  ),
  standby_none: finding('no synchronous standby: commits wait for one', '没有同步备库，提交会一直等待', {
    en: 'start the machines that are away; see `patronictl -c /etc/patroni/config.yml list`',
    zh: '请启动离线的机器，并查看 `patronictl -c /etc/patroni/config.yml list`。',
  }),
  standby_away: finding(
    ({ machines }: Of) => `does not follow: ${machines}`,
    ({ machines }) => `未跟随主库：${machines}`,
    see('patroni'),
  ),
  database: finding(
    ({ version, collation }: { version: string; collation: string }) => `PostgreSQL ${version}, collation ${collation}`,
    ({ version, collation }) => `PostgreSQL ${version}，排序规则 ${collation}`,
  ),
  database_silent: finding(
    ({ error }: { error: string }) => `cannot be asked by way of HAProxy: ${error}`,
    ({ error }) => `无法通过 HAProxy 访问：${error}`,
    {
      en: 'see `systemctl status haproxy patroni`, and the address in /etc/gatehouse/database',
      zh: '请查看 `systemctl status haproxy patroni`，以及 /etc/gatehouse/database 中的地址。',
    },
  ),
  database_old: finding(
    ({ version }: { version: string }) => `PostgreSQL ${version}: 15 or newer is needed`,
    ({ version }) => `PostgreSQL ${version}：需要 15 或更新的版本`,
    upgradeAll,
  ),
  database_versions: finding(
    ({ found }: { found: string }) => `different versions of PostgreSQL: ${found}`,
    ({ found }) => `PostgreSQL 版本不一致：${found}`,
    upgradeAll,
  ),
  database_collation: finding(
    ({ collation, encoding }: { collation: string; encoding: string }) =>
      `collation ${collation}, encoding ${encoding}: C and UTF8 are needed`,
    ({ collation, encoding }) => `排序规则 ${collation}，编码 ${encoding}：需要 C 和 UTF8`,
    {
      en: 'make the database again, as /etc/gatehouse-region/database.sql does',
      zh: '请按 /etc/gatehouse-region/database.sql 重建数据库。',
    },
  ),
  settings: finding('as a region needs them', '符合要求'),
  setting_wrong: finding(
    ({ setting, value, wanted }: { setting: string; value: string; wanted: string }) =>
      `${setting} is "${value}", not ${wanted}`,
    ({ setting, value, wanted }) => `${setting} 为“${value}”，应为 ${wanted}`,
    {
      en: ({ setting }) =>
        `see where it is set (SELECT * FROM pg_settings WHERE name = '${setting}'; \\drds) and remove that`,
      zh: ({ setting }) => `请查明其设置位置（SELECT * FROM pg_settings WHERE name = '${setting}'；\\drds）并去掉。`,
    },
  ),
  roles: finding(
    ({ writer, owner }: { writer: string; owner: string }) => `${writer} writes rows, ${owner} has the tables`,
    ({ writer, owner }) => `${writer} 写入数据，${owner} 拥有数据表`,
  ),
  role_mighty: finding(
    ({ role, rights }: { role: string; rights: string }) => `${role} may more than it needs: ${rights}`,
    ({ role, rights }) => `${role} 的权限过大：${rights}`,
    {
      en: ({ role }) => `take that from it: ALTER ROLE ${role} or REVOKE, as /etc/gatehouse-region/database.sql has it`,
      zh: ({ role }) => `请按 /etc/gatehouse-region/database.sql 用 ALTER ROLE ${role} 或 REVOKE 收回。`,
    },
  ),
  role_weak: finding(
    ({ role, tables }: { role: string; tables: string }) => `${role} may not write to ${tables}`,
    ({ role, tables }) => `${role} 无权写入 ${tables}`,
    {
      en: ({ role }) => `GRANT SELECT, INSERT, UPDATE, DELETE ON ALL TABLES IN SCHEMA public TO ${role}`,
      zh: ({ role }) => `请执行 GRANT SELECT, INSERT, UPDATE, DELETE ON ALL TABLES IN SCHEMA public TO ${role}`,
    },
  ),
  files_none: finding(
    'store.files is not set: each process keeps files for itself',
    '未设置 store.files，各进程的文件互不可见',
    {
      en: 'mount one share on all machines and repeat `gatehouse region init` with --files',
      zh: '请在所有机器上挂载同一共享目录，并加上 --files 重新运行 `gatehouse region init`。',
    },
  ),
  process_stopped: finding('the process of this machine does not run', '本机的进程未运行', {
    en: 'see `systemctl status gatehouse` and `journalctl -u gatehouse`',
    zh: '请查看 `systemctl status gatehouse` 和 `journalctl -u gatehouse`。',
  }),
  clocks: finding(
    ({ seconds }: { seconds: number }) => `at most ${seconds} s apart`,
    ({ seconds }) => `相差最多 ${seconds} 秒`,
  ),
  clocks_apart: finding(
    ({ machines, seconds }: Of & { seconds: number }) => `${machines} is ${seconds} s off the clock of this machine`,
    ({ machines, seconds }) => `${machines} 的时钟与本机相差 ${seconds} 秒`,
    {
      en: ({ machines }) => `\`chronyc tracking\` on ${machines} and here`,
      zh: ({ machines }) => `请在 ${machines} 和本机上查看 \`chronyc tracking\`。`,
    },
  ),
  haproxy: finding(
    ({ machines }: Of) => `sees the process of ${machines}, and the primary`,
    ({ machines }) => `可连接 ${machines} 的进程和主库`,
  ),
  haproxy_silent: finding(
    ({ error }: { error: string }) => `does not say how it sees the servers: ${error}`,
    ({ error }) => `无法查询后端状态：${error}`,
    {
      en: 'see `systemctl status haproxy`',
      zh: '请查看 `systemctl status haproxy`。',
    },
  ),
  haproxy_misses: finding(
    ({ machines, part, why }: Of & { part: string; why: string }) => `${part}: does not reach ${machines} (${why})`,
    ({ machines, part, why }) => `${part}：无法连接 ${machines}（${why}）`,
    see('gatehouse'),
  ),
  strangers: finding(
    ({ machines }: Of) => `${machines}: etcd, Patroni and PostgreSQL refuse who shows no certificate or password`,
    ({ machines }) => `${machines}：etcd、Patroni、PostgreSQL 均拒绝未经认证的访问`,
  ),
  stranger_let_in: finding(
    ({ machines, way }: Of & { way: string }) => `${machines}: ${way} lets in who shows no certificate or password`,
    ({ machines, way }) => `${machines}：${way} 未经认证即可访问`,
    {
      en: 'run install.sh of its folder again: another file is in force than the one that it wrote',
      zh: '请重新运行该机器文件夹中的 install.sh：当前生效的文件并非它所写入的。',
    },
  ),
  region_certificate: finding(
    ({ day }: { day: string }) => `the first one ends on ${day}`,
    ({ day }) => `最早到期的证书有效期至 ${day}`,
  ),
  region_certificate_ends: finding(
    ({ file, day }: { file: string; day: string }) => `${file} ends on ${day}`,
    ({ file, day }) => `${file} 将于 ${day} 到期`,
    {
      en: 'repeat `gatehouse region init` on the folder of the region, and run the install.sh of each machine, one after the other',
      zh: '请在区域文件夹上重新运行 `gatehouse region init`，再逐台运行各机器的 install.sh。',
    },
  ),
};

const findings = sentences(texts);
const remedies = remediesOf(texts);

export function foundInRegion<Code extends keyof typeof texts>(
  code: Code,
  ...values: ValuesOf<(typeof texts)[Code]>
): Found {
  const { reason: message, params } = findings.say(code, ...(values as never));
  return { code, params, message, remedy: inEnglish(remedyOf({ code, params, remedy: '' }), remedies) };
}
