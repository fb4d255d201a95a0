import { area } from '../../words/index.ts';

/**
 * Messages of the box's log, in Chinese; `{}` is a value in the text. The box writes them in
 * English.
 */
const chinese: Readonly<Record<string, string>> = {
  'a certificate that was replaced on disk is not taken: the one before stays in use':
    '磁盘上更换的证书未被采用，继续使用原证书',
  'certificates that were replaced on disk are in use': '已启用磁盘上更换的证书',
  'the clock of this box was set': '本网关的时钟被调整',
  'that the clock was set could not be noted; it is tried again': '时钟被调整一事未能记下，将重试',
  'a backup was restored: the box restarts with it': '已恢复备份，网关将用它重新启动',
  'a backup of a box below was received': '已收到下级网关的备份',
  'an old backup of a box below was deleted': '已删除下级网关的旧备份',
  'a backup was written and verified': '备份已写入并通过检查',
  'when a box below was heard could not be stored': '下级网关的最近联络时间未能保存',
  'the box above cannot read what this box says of itself; it is not told again':
    '上级网关无法解析本网关上报的自身状况，不再上报',
  'a batch was not accepted; it is sent again': '一批记录未被接收，将再次发送',
  'a closed month could not be written completely': '关账文件未能完整写出',
  'a confirmation could not be stored': '一个确认未能保存',
  'a device announced the result of its network configuration': '一台设备报告了配网结果',
  'a device key could not be stored': '一台设备的密钥未能保存',
  'a login of a program failed inside the box': '站点程序的一次登录在网关内部出错',
  'a login of a program was refused': '站点程序的一次登录被拒绝',
  'the newest events could not be read; tried again in a second': '最新的事件未能读取，一秒后重试',
  'the state of the box could not be said to programs': '网关状态未能告知站点程序',
  'the tokens of programs could not be looked at': '站点程序的令牌未能查看',
  '{} of a program could not be carried out': '站点程序的{}未能执行',
  'a login failed inside the box': '一次登录在网关内部出错',
  'a message from the cloud is for a device that is not known here: dropped':
    '云平台的一条消息发给本网关不认识的设备，已丢弃',
  'a message from the cloud names another device than its session: dropped':
    '云平台的一条消息写给另一台设备，与其会话不符，已丢弃',
  'a message from the cloud is not an envelope: dropped': '云平台的一条消息格式不符，已丢弃',
  'a message of a phone could not be processed': '手机的一条消息无法处理',
  'a minute of the history could not be kept': '一分钟的运行历史未能保存',
  'a month for payroll could not be written completely': '月度汇总未能完整写出',
  'a person who returned from the sign-in at the cloud could not be signed in': '从云平台登录返回的用户未能登录',
  'a phone asked for a signature, and the box has no key: set box.product_key':
    '手机要求签名，但网关没有密钥：请设置 box.product_key',
  'a phone may set the box up': '手机现在可以设置网关',
  'a phone sent wifi settings over Bluetooth': '手机通过蓝牙发来了 Wi-Fi 设置',
  'a refusal could not be stored': '一次拒绝未能保存',
  'a refused record could not be parked; it is tried again': '一条被拒收的记录未能另存，将重试',
  'a report could not be written completely': '报表未能完整写出',
  'a text could not be spoken': '文字未能转为语音',
  'alerts cannot be stored; they are sent all the same': '告警无法保存，但仍会发送',
  'an alert did not get through': '一条告警未能送达',
  'an answer could not be stored in the inbox of the device': '给设备的应答未能存入其收件箱',
  'an inbox could not be emptied; it is tried again with the next message':
    '设备的收件箱未能清空，下一条消息到来时重试',
  'the database is of an earlier state: it was restored, or a failover lost commits':
    '数据库处于较早的状态：它已被恢复，或主备切换时丢失了提交',
  'the database is a copy of another one': '数据库是另一个数据库的副本',
  'how far the database has come could not be written down': '数据库的进度未能记下',
  'clocks of this region differ': '本区域的时钟不一致',
  'processes of different versions run': '不同版本的进程正在运行',
  'an index is made, which may take minutes; other processes go on meanwhile':
    '正在创建索引，可能需要几分钟；其他进程照常工作',
  'an old backup was deleted': '已删除一个旧备份',
  'an upgrade package was fetched and is served by the box': '已取得升级包，由本网关提供下载',
  'at most {} devices may be connected at once over each protocol that the box serves: the process may open {} files; raise LimitNOFILE of the service, or `ulimit -n`':
    '网关提供的每种协议最多同时连接 {} 台设备：本进程最多打开 {} 个文件；请调高服务的 LimitNOFILE 或 `ulimit -n`',
  'audit entries are lost: the disk takes no writes': '操作记录丢失：磁盘无法写入',
  'box.led {}: {}: name an LED of /sys/class/leds': 'box.led {}：{}；请填写 /sys/class/leds 中的指示灯',
  'continuing to fetch a package': '继续下载安装包',
  'devices could not be described to Home Assistant': '未能向 Home Assistant 描述设备',
  'events of devices could not be stored': '设备事件未能保存',
  'fetching the whole package again': '重新下载整个安装包',
  'how devices of this model are reached could not be stored': '此型号设备的通信方式未能保存',
  'incomplete files of interrupted uploads could not be removed': '中断上传留下的不完整文件未能删除',
  'incomplete files of interrupted uploads were removed': '已删除中断上传留下的不完整文件',
  'issued the certificate of this box': '已签发本网关的证书',
  'late changes of closed months could not be looked for; it is tried again in 10 minutes':
    '未能检查已关账月份的后续变化，10 分钟后重试',
  'made the certificate authority of this box; devices trust it after `gatehouse trust export`':
    '已生成本网关的根证书；用 `gatehouse trust export` 导出后供设备信任',
  'mirrored an upgrade package': '已从云平台复制升级包',
  'no records could be copied from the cloud': '未能从云平台复制记录',
  'old records could not be removed; it is tried again in 10 minutes': '旧记录未能删除，10 分钟后重试',
  'parked: the cloud refused a record for good: {}': '云平台拒收了一条记录：{}',
  'people could not be sent to a terminal; they are sent at the next change': '人员未能下发到终端，下次更改时再下发',
  'people who have left could not be taken off the terminals; it is tried again in a minute':
    '未能从终端删除离职人员，一分钟后重试',
  'people whose last day is over are taken off the terminals': '正在从终端删除已过最后工作日的人员',
  'provisioning.button {}: cannot be read: {}': 'provisioning.button {}：无法读取：{}',
  'provisioning.button {}: was held for too long, it may be stuck: nothing is reset':
    'provisioning.button {}：按住时间过长，按键可能卡住，没有重置',
  'pulled messages could not be removed from the inbox; they are offered again':
    '设备已领取的消息未能从收件箱删除，将再次提供',
  'records of the cloud were copied': '已从云平台复制记录',
  'refused: {}': '已拒绝：{}',
  'removed packages that no upgrade record names': '已删除不再使用的升级包',
  'removing a damaged package': '正在删除损坏的安装包',
  'results of site devices are received again': '重新开始接收设备的配网结果',
  'results of site devices cannot be received; it is tried again every minute: end the program that uses this port, or change provisioning.result_listen':
    '无法接收设备的配网结果，每分钟重试：请结束占用该端口的程序，或更改 provisioning.result_listen',
  'sessions stay in memory': '会话保留在内存中',
  'temporary files of a transfer could not be deleted': '传输的临时文件未能删除',
  'the alerts could not be looked at; tried again in 30 s': '未能检查告警，30 秒后重试',
  'the audit log cannot be written: up to {} entries wait in memory until it can':
    '操作记录无法写入：最多有 {} 条在内存中等待',
  'the audit log is intact: {}': '操作记录完整：{}',
  'the audit log is not intact: entry {}: {}': '操作记录不完整：第 {} 条：{}',
  'the backup before the update is made; RAUC installs': '升级前的备份已完成，正在由 RAUC 安装',
  'the backup is not good: {}': '备份未通过检查：{}',
  'the backups could not be looked at': '未能检查备份',
  'the box can be found by Bluetooth': '可以通过蓝牙找到网关',
  'the box cannot be set up by wifi: {}; it is tried again every {} s': '无法通过 Wi-Fi 设置网关：{}；每 {} 秒重试',
  'the box has a network: it can no longer be set up by a phone; `gatehouse reset --network` opens it again':
    '网关已有网络，手机不能再设置；用 `gatehouse reset --network` 可以重新开放',
  'the box is reset: all its data are deleted at its next start': '网关将恢复出厂状态：下次启动时删除全部数据',
  'the clock is far ahead of the last statement: it is believed in two days': '时钟远晚于上一份对账单，两天后才予采信',
  'the cloud does not return the weather': '云平台没有返回天气',
  'the cloud refused a change of the organization': '云平台拒绝了一项组织架构更改',
  'the cloud refused a file': '云平台拒收了一个文件',
  'the cloud refused a message': '云平台拒收了一条消息',
  'the config in force could not be stored in the data directory': '生效的配置未能保存到数据目录',
  'the daily statement could not be made; it is tried again in 10 minutes': '当日对账单未能生成，10 分钟后重试',
  'the daily statement was made': '已生成当日对账单',
  'the database file cannot be written in places; its log grows': '数据库文件部分位置无法写入，其日志文件不断变大',
  'the disk failed during the drill of the card': '存储卡演练时磁盘出错',
  'the drill of the card could not go on': '存储卡演练未能继续',
  'the drill of the line could not be finished': '线路演练未能完成',
  'the drill of the terminals could not be finished': '终端演练未能完成',
  'results of drills could not be sent up': '演练结果未能上传',
  'the result of a drill was refused above': '演练结果被上级拒收',
  'the hotspot of a device could not be left': '未能退出设备的热点',
  'the latest changes could not be sent to the open pages': '最新变化未能发送到打开的网页',
  'the limit of new devices of this product in an hour is reached: further ones are refused':
    '此产品一小时内的新设备已达上限，其余的被拒绝',
  'the key of TLS tickets cannot be kept: after a restart no session resumes':
    'TLS 会话票据的密钥无法保存：重新启动后会话不能恢复',
  'this process sends the alerts and calls the webhooks': '由本进程发送告警并调用 Webhook',
  'the alerts could not be opened; tried again in 5 s': '告警未能启动，5 秒后重试',
  'the alerts could not be read; tried again in 30 s': '告警未能读取，30 秒后重试',
  'the webhooks could not be opened; tried again in 5 s': 'Webhook 未能启动，5 秒后重试',
  'a push of another process could not be passed on': '另一个进程的推送未能转给应用',
  'this process forwards to the cloud': '由本进程向云平台转发',
  'another process may forward to the cloud: this one has stopped': '另一个进程可能向云平台转发：本进程已停止转发',
  'forwarding could not begin; tried again in 5 s': '未能开始转发，5 秒后重试',
  'the line to the cloud is not up; records wait here': '到云平台的线路未连通，记录在本网关等待',
  'the line to the cloud is up': '到云平台的线路已连通',
  'the network is reset: the box waits to be set up': '网络已重置，网关等待设置',
  'the organization does not follow the cloud: {}': '组织架构未与云平台同步：{}',
  'the organization follows the cloud': '组织架构与云平台同步',
  'people or departments are missing in the lists of the cloud: they are hidden, not deleted':
    '云平台的列表缺少人员或部门：已隐藏，没有删除',
  'the organization was updated from the cloud': '已从云平台更新组织架构',
  'the outcome of a parked record could not be stored': '被拒收记录的处理结果未能保存',
  'the outcome of the last update could not be stored': '上次升级的结果未能保存',
  'the outcome of the update could not be stored': '升级的结果未能保存',
  'the result of a device could not be stored': '设备的结果未能保存',
  'the store does not answer: the watchdog is not fed, and systemd will restart the box':
    '数据库没有响应，systemd 将重新启动网关',
  'the start waits for the database to commit: see its synchronous standby':
    '启动正在等待数据库提交，请检查同步备用服务器',
  'the store takes records again': '数据库重新接收记录',
  'the stored weather cannot be read': '保存的天气无法读取',
  'products and devices cannot be read from the database': '无法从数据库读取产品和设备',
  'a device could not be taken over': '无法接管一台设备',
  'another process does not answer: its devices are taken over': '另一个进程没有应答：其设备将被接管',
  'a process that does not answer could not be fenced': '无法停用没有应答的进程',
  'devices could not be given to another process': '无法将设备交给另一个进程',
  'the tables are too far behind the journal: nothing is read from devices until they have caught up':
    '数据表落后于流水过多，追上之前暂停接收设备数据',
  'the tables have caught up: devices are read again': '数据表已追上，恢复接收设备数据',
  'the update is installed: the box restarts with it': '升级已安装，网关将用它重新启动',
  'the update waits for the restart': '升级等待重新启动',
  'the update was not installed; the box keeps running as it is': '升级没有安装，网关照常运行',
  'the weather cannot be stored': '天气无法保存',
  'the weather of the cloud is available again': '云平台的天气恢复可用',
  'upstream.attendance names another cloud: its records are copied from the beginning; those of the earlier one stay':
    'upstream.attendance 指向另一个云平台：从头复制其记录，原有的保留',
  'wifi settings over Bluetooth cannot be used: {}': '蓝牙发来的 Wi-Fi 设置无法使用：{}',
  'wifi settings over Bluetooth were ignored: no key of the box opens the password, or it does not begin with {} (box.vendor)':
    '忽略了蓝牙发来的 Wi-Fi 设置：网关的密钥无法解开密码，或设置不以 {} 开头（box.vendor）',
  '{}; it is tried again every {} s': '{}；每 {} 秒重试',
};

const templates = Object.keys(chinese)
  .filter(text => text.includes('{}'))
  .map(text => {
    const parts = text.split('{}').map(part => part.replace(/[.*+?^${}()|[\]\\]/g, '\\$&'));
    return { pattern: new RegExp(`^${parts.join('(.*?)')}$`, 's'), said: chinese[text]! };
  });

function inChinese(text: string): string {
  const exact = chinese[text];
  if (exact !== undefined) return exact;
  for (const { pattern, said } of templates) {
    const values = pattern.exec(text)?.slice(1);
    if (values) return said.replaceAll('{}', () => values.shift() ?? '');
  }
  return text;
}

/** A line of the box's log in the language of the page; what has no words is shown as it is. */
export const boxMessage = area({ of: (text: string) => text }, { of: inChinese });
