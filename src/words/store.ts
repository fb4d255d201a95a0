import { sentences } from './sentences.ts';

/** Why the store takes no writes, and what to do. */
export const storeFaults = sentences({
  disk_full: {
    en: 'disk full, new records are being rejected: free up space on the page "System", or reconnect the cloud',
    zh: '磁盘已满，新记录被拒绝：请在“系统”页面清理空间，或恢复云平台连接',
  },
  disk_read_only: {
    en: 'the data directory cannot be written: check its owner; if the disk was mounted read-only after an error, start the machine again, which repairs the file system, and change the card if it happens twice',
    zh: '数据目录无法写入：请检查它的所有者；如果磁盘因出错而变为只读，请重启机器，这会修复文件系统；若再次发生，请更换存储卡',
  },
  disk_broken: {
    en: 'the disk fails, or the database file is damaged: start the machine again once; if it stays so, change the card and restore a backup with `gatehouse restore FILE`',
    zh: '磁盘故障，或数据库文件已损坏：请先重启一次机器；如果仍然如此，请更换存储卡，并用 `gatehouse restore FILE` 恢复备份',
  },
  database_full: {
    en: "the disk of the database's server is full: make room there; nothing is acknowledged until then",
    zh: '数据库服务器的磁盘已满：请在该服务器上腾出空间；在此之前不会确认任何数据',
  },
  database_read_only: {
    en: 'the database takes no writes: this is a standby, or it was set to read-only; connect to the primary and start again',
    zh: '数据库无法写入：它是备用服务器，或被设为只读；请连接主服务器并重新启动',
  },
  database_broken: {
    en: 'the connection to the database broke, or its server failed: nobody knows what became of the last commit, so this process ends and has to be started again',
    zh: '与数据库的连接中断，或数据库服务器故障：无法得知最后一次提交的结果，因此本进程结束，需要重新启动',
  },
  database_refused: {
    en: ({ state, message }: { state: string; message: string }) =>
      `the database refused a statement (SQLSTATE ${state}: ${message}): nothing of it is acknowledged; see the log of its server`,
    zh: ({ state, message }) =>
      `数据库拒绝了一条语句（SQLSTATE ${state}：${message}）：相关数据未被确认；请查看数据库服务器的日志`,
  },
  database_silent: {
    en: 'the database does not answer: nothing is acknowledged until it does; see that its server runs, and what holds its locks',
    zh: '数据库没有响应：在其响应之前不会确认任何数据；请确认服务器正在运行，并检查是什么占用了锁',
  },
  process_fenced: {
    en: 'another process waited in vain for this one and took its devices over: it has to start again, and nothing is acknowledged until then',
    zh: '另一个进程等待本进程无果，已接管其设备：本进程需要重新启动，在此之前不会确认任何数据',
  },
  standby_away: {
    en: 'no synchronous standby is connected to the database: nothing is acknowledged until one is; see that it runs and reaches the primary',
    zh: '没有同步备用服务器连接到数据库：在其连接之前不会确认任何数据；请确认它正在运行，并能连接主服务器',
  },
  standby_silent: {
    en: 'a synchronous standby does not confirm what is committed: nothing is acknowledged until it does; see its disk and its network',
    zh: '同步备用服务器没有确认提交：在其确认之前不会确认任何数据；请检查它的磁盘和网络',
  },
});

/** Warnings about the database of a region, which may work all the same. */
export const databaseWarnings = sentences({
  no_standby: {
    en: 'the database has no synchronous standby: what is acknowledged can be lost with the primary; set synchronous_mode in Patroni, or synchronous_standby_names',
    zh: '数据库没有同步备用服务器：主服务器损坏时，已确认的数据可能丢失；请在 Patroni 中设置 synchronous_mode，或设置 synchronous_standby_names',
  },
  own_files: {
    en: 'files are known to one process only: write a directory that all processes share to store.files of each of them',
    zh: '文件只有一个进程可以读取：请在每个进程的 store.files 中填写所有进程共用的目录',
  },
  database_slow: {
    en: ({ seconds }: { seconds: string }) =>
      `the database is slow: a write waited ${seconds} s for its commit; see the disks of its server and of its synchronous standby`,
    zh: ({ seconds }) => `数据库缓慢：一次写入等待提交 ${seconds} 秒；请检查数据库服务器及其同步备用服务器的磁盘`,
  },
  old_transaction: {
    en: ({ seconds, by, pid }: { seconds: number; by: string; pid: number }) =>
      `a transaction of the database is ${seconds} s old (${by === '' ? 'process' : `${by}, process`} ${pid} of its server): writes become slower until it ends; end it, and let backups and reports read a standby`,
    zh: ({ seconds, by, pid }) =>
      `数据库中有一个事务已持续 ${seconds} 秒（${by === '' ? '' : `${by}，`}服务器进程 ${pid}）：在其结束之前写入会越来越慢；请结束该事务，备份和报表请读取备用服务器`,
  },
  database_restored: {
    en: ({ state, until }: { state: string; until: string }) =>
      `the database is as it was at ${state}: it was restored, or a failover lost its newest commits; what was acknowledged from then until ${until} is gone here, and the cloud may have more than this region`,
    zh: ({ state, until }) =>
      `数据库处于 ${state} 的状态：它已被恢复到该时刻，或主备切换时丢失了最新的提交；此后到 ${until} 之间确认过的数据在这里已不存在，云平台上的数据可能比本区域多`,
  },
  database_copied: {
    en: ({ found }: { found: string }) =>
      `the database is a copy of another one, found at ${found}: if processes still run on that one, both use one identity; stop one of the two, or give it another box.device_sn`,
    zh: ({ found }) =>
      `数据库是另一个数据库的副本（发现于 ${found}）：如果原数据库仍有进程在运行，两者使用同一身份；请停止其中一个，或为其设置另一个 box.device_sn`,
  },
  server_clock_ahead: {
    en: ({ seconds }: { seconds: number }) =>
      `the clock of the database's server is ${seconds} s ahead of those of all processes: see what sets it (chronyc tracking)`,
    zh: ({ seconds }) => `数据库服务器的时钟比所有进程快 ${seconds} 秒：请检查其校时（chronyc tracking）`,
  },
  server_clock_behind: {
    en: ({ seconds }: { seconds: number }) =>
      `the clock of the database's server is ${seconds} s behind those of all processes: see what sets it (chronyc tracking)`,
    zh: ({ seconds }) => `数据库服务器的时钟比所有进程慢 ${seconds} 秒：请检查其校时（chronyc tracking）`,
  },
  process_clock_ahead: {
    en: ({ name, seconds }: { name: string; seconds: number }) =>
      `the clock of ${name} is ${seconds} s ahead of that of the database's server: see what sets them (chronyc tracking); the times that this process writes are wrong by as much`,
    zh: ({ name, seconds }) =>
      `${name} 的时钟比数据库服务器快 ${seconds} 秒：请检查两者的校时（chronyc tracking）；该进程写入的时间也差这么多`,
  },
  process_clock_behind: {
    en: ({ name, seconds }: { name: string; seconds: number }) =>
      `the clock of ${name} is ${seconds} s behind that of the database's server: see what sets them (chronyc tracking); the times that this process writes are wrong by as much`,
    zh: ({ name, seconds }) =>
      `${name} 的时钟比数据库服务器慢 ${seconds} 秒：请检查两者的校时（chronyc tracking）；该进程写入的时间也差这么多`,
  },
  versions_differ: {
    en: ({ versions }: { versions: string }) =>
      `processes of different versions run on this database: ${versions}; bring all of them to one`,
    zh: ({ versions }) => `同一数据库上运行着不同版本的进程：${versions}；请将它们更新到同一版本`,
  },
});

/** Why the audit log is not intact, from its first entry that is not as it was written. */
export const auditFaults = sentences({
  in_no_chain: { en: 'it is in no chain: somebody put it in', zh: '它不在任何校验链中，是被插入的' },
  not_the_kept_hash: {
    en: 'it is not the entry of which the hash was kept: the log was rewritten since',
    zh: '它与另行保存的校验值不符，记录已被重写',
  },
  end_cut_off: {
    en: 'it is the newest entry, and is gone: the end was cut off',
    zh: '最新的条目已不存在，末尾被截去',
  },
  does_not_follow_begin: {
    en: 'it does not follow where the chain begins: it was changed, or what stood between was removed',
    zh: '它与链的起点不相接：它被更改，或其间的条目被删除',
  },
  does_not_follow: {
    en: ({ entry }: { entry: number }) =>
      `it does not follow entry ${entry}: it was changed, or what stood between was removed`,
    zh: ({ entry }) => `它与第 ${entry} 条不相接：它被更改，或其间的条目被删除`,
  },
});
