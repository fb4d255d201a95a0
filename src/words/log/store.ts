import { flushTooFast } from '../machine-findings.ts';
import { innerWhyInChinese } from '../reasons.ts';
import { sentences, type WithWhy } from '../sentences.ts';

/** Log lines of the store and the processes of a region. */
export const storeLog = sentences({
  store_in_trouble: {
    en: ({ why }: WithWhy) => String(why),
    zh: one => `数据库出现问题：${innerWhyInChinese(one)}`,
  },
  disk_answers_too_fast: flushTooFast,
  store_takes_records: { en: 'the store takes records again', zh: '数据库重新接收记录' },
  tables_behind: {
    en: 'the tables are too far behind the journal: nothing is read from devices until they have caught up',
    zh: '数据表落后于流水过多，追上之前暂停接收设备数据',
  },
  tables_caught_up: { en: 'the tables have caught up: devices are read again', zh: '数据表已追上，恢复接收设备数据' },
  database_file_not_written: {
    en: 'the database file cannot be written in places; its log grows',
    zh: '数据库文件部分位置无法写入，其日志文件不断变大',
  },
  sessions_stay_in_memory: { en: 'sessions stay in memory', zh: '会话保留在内存中' },
  temporary_files_not_deleted: {
    en: 'temporary files of a transfer could not be deleted',
    zh: '传输的临时文件未能删除',
  },
  audit_log_not_written: {
    en: ({ waitingMax }: { waitingMax: number }) =>
      `the audit log cannot be written: up to ${waitingMax} entries wait in memory until it can`,
    zh: ({ waitingMax }) => `操作记录无法写入：最多有 ${waitingMax} 条在内存中等待`,
  },
  audit_entries_lost: { en: 'audit entries are lost: the disk takes no writes', zh: '操作记录丢失：磁盘无法写入' },
  start_waits_for_standby: {
    en: 'the start waits for the database to commit: see its synchronous standby',
    zh: '启动正在等待数据库提交，请检查同步备用服务器',
  },
  index_being_made: {
    en: 'an index is made, which may take minutes; other processes go on meanwhile',
    zh: '正在创建索引，可能需要几分钟；其他进程照常工作',
  },
  device_not_taken_over: { en: 'a device could not be taken over', zh: '无法接管一台设备' },
  devices_taken_over: {
    en: 'another process does not answer: its devices are taken over',
    zh: '另一个进程没有应答：其设备将被接管',
  },
  process_not_fenced: { en: 'a process that does not answer could not be fenced', zh: '无法停用没有应答的进程' },
  devices_not_given: { en: 'devices could not be given to another process', zh: '无法将设备交给另一个进程' },
  process_forwards: { en: 'this process forwards to the cloud', zh: '由本进程向云平台转发' },
  process_stopped_forwarding: {
    en: 'another process may forward to the cloud: this one has stopped',
    zh: '另一个进程可能向云平台转发：本进程已停止转发',
  },
  process_sends_alerts: {
    en: 'this process sends the alerts and calls the webhooks',
    zh: '由本进程发送告警并调用 Webhook',
  },
  process_clocks_differ: { en: 'clocks of this region differ', zh: '本区域的时钟不一致' },
  process_versions_differ: { en: 'processes of different versions run', zh: '不同版本的进程正在运行' },
  database_of_earlier_state: {
    en: 'the database is of an earlier state: it was restored, or a failover lost commits',
    zh: '数据库处于较早的状态：它已被恢复，或主备切换时丢失了提交',
  },
  database_is_copy: { en: 'the database is a copy of another one', zh: '数据库是另一个数据库的副本' },
  database_progress_not_stored: {
    en: 'how far the database has come could not be written down',
    zh: '数据库的进度未能记下',
  },
});
