const chinese: Readonly<Record<string, string>> = {
  // Why a device left
  'the device closed the connection': '设备主动断开',
  'the connection broke off (reset by the device or on the way)': '连接中断（被设备或中间网络重置）',
  'the network no longer reaches the device': '网络已无法到达该设备',
  'connected again': '设备重新连接',
  'went offline on purpose': '设备主动下线',
  'silent for several keepAliveTime periods': '长时间没有心跳',
  'keep alive timeout': '心跳超时',
  'published with QoS 2; SPEC 4.1 has 0 and 1': '以 QoS 2 发布；平台只有 QoS 0 和 1',
  'blocked by an administrator': '已被管理员停用',
  'the device is no longer known here': '本网关已没有这台设备',
  'its product is no longer known here': '本网关已没有它的产品',
  'its product no longer uses this way in': '它的产品已不使用这种接入方式',
  'its key was replaced by another': '它的密钥已被更换',
  'the key of its product was changed': '它的产品密钥已更改',
  'it has a key of its own now': '它已启用自己的密钥',
  'the cloud has taken another key of it': '云平台已接受它的另一个密钥',
  // Why there is no connection to the cloud
  'no device has needed the cloud yet': '还没有设备需要连接云平台',
  'not tried yet': '尚未尝试',
  'another process of this region forwards': '由本区域的另一个进程转发',
  'the cloud closed the connection': '云平台断开了连接',
  'the cloud closed the connection, or did not answer in time': '云平台断开了连接，或没有及时响应',
  'nobody listens at the cloud address (connection refused)': '云平台地址没有服务（连接被拒绝）',
  'the name of the cloud cannot be resolved (DNS)': '无法解析云平台域名（DNS）',
  'the network does not reach the cloud': '网络无法到达云平台',
  'the connection was reset': '连接被重置',
  "the cloud's certificate is not valid now: check the clock of this box": '云平台证书当前无效：请检查本网关的时间',
  "the cloud's certificate is signed by nobody this box trusts: set upstream.ca":
    '云平台证书不受本网关信任：请设置 upstream.ca',
  'the cloud does not speak MQTT 3.1.1': '云平台不支持 MQTT 3.1.1',
  'the cloud refused the device id': '云平台拒绝了设备编号',
  'the cloud refused the key (bad user name or password)': '云平台拒绝了密钥（用户名或密码错误）',
  'the cloud refused the key (authentication failed)': '云平台拒绝了密钥',
  'the cloud does not authorize this device': '云平台未授权这台设备',
  'no key of this device is known here': '本网关没有这台设备的密钥',
  'box.access_key is not set': '没有设置 box.access_key',
  'box.access_key or upstream.device_http is not set': '没有设置 box.access_key 或 upstream.device_http',
  // Why nothing is accepted
  'the disk is full and nothing more may be dropped: make room on the page "Today", free some space, or connect the cloud so that waiting records can go':
    '磁盘已满，且没有可以删除的数据：请在“今天”页面腾出空间、清理磁盘，或连接云平台以上传积压的数据',
  'the data directory cannot be written: check its owner; if the disk was mounted read-only after an error, start the machine again, which repairs the file system, and change the card if it happens twice':
    '数据目录无法写入：请检查它的所有者；如果磁盘因出错而变为只读，请重启机器，这会修复文件系统；若再次发生，请更换存储卡',
  'the disk fails, or the database file is damaged: start the machine again once; if it stays so, change the card and restore a backup with `gatehouse restore FILE`':
    '磁盘故障，或数据库文件已损坏：请先重启一次机器；如果仍然如此，请更换存储卡，并用 `gatehouse restore FILE` 恢复备份',
  "the disk of the database's server is full: make room there; nothing is acknowledged until then":
    '数据库服务器的磁盘已满：请在该服务器上腾出空间；在此之前不会确认任何数据',
  'the database takes no writes: this is a standby, or it was set to read-only; connect to the primary and start again':
    '数据库无法写入：它是备用服务器，或被设为只读；请连接主服务器并重新启动',
  'the connection to the database broke, or its server failed: nobody knows what became of the last commit, so this process ends and has to be started again':
    '与数据库的连接中断，或数据库服务器故障：无法得知最后一次提交的结果，因此本进程结束，需要重新启动',
  'the database has no synchronous standby: what is acknowledged can be lost with the primary; set synchronous_mode in Patroni, or synchronous_standby_names':
    '数据库没有同步备用服务器：主服务器损坏时，已确认的数据可能丢失；请在 Patroni 中设置 synchronous_mode，或设置 synchronous_standby_names',
  'no synchronous standby is connected to the database: nothing is acknowledged until one is; see that it runs and reaches the primary':
    '没有同步备用服务器连接到数据库：在其连接之前不会确认任何数据；请确认它正在运行，并能连接主服务器',
  'a synchronous standby does not confirm what is committed: nothing is acknowledged until it does; see its disk and its network':
    '同步备用服务器没有确认提交：在其确认之前不会确认任何数据；请检查它的磁盘和网络',
  'the database does not answer: nothing is acknowledged until it does; see that its server runs, and what holds its locks':
    '数据库没有响应：在其响应之前不会确认任何数据；请确认服务器正在运行，并检查是什么占用了锁',
  'files are known to one process only: write a directory that all processes share to store.files of each of them':
    '文件只有一个进程可以读取：请在每个进程的 store.files 中填写所有进程共用的目录',
  // Why a record was not sent
  'the cloud closed the connection behind it three times in a row': '云平台连续三次收到它后断开连接',
  'no JSON message': '不是 JSON 消息',
  // Why nobody can read a message
  empty: '内容为空',
  'UTF-16 in place of UTF-8': '编码是 UTF-16，而不是 UTF-8',
  'GBK in place of UTF-8': '编码是 GBK，而不是 UTF-8',
  'not UTF-8': '编码不是 UTF-8',
  'not JSON: cut off': '不是 JSON：内容被截断',
  'not JSON: a number in a form that JSON does not know': '不是 JSON：数字的写法不符合 JSON',
  'not JSON': '不是 JSON',
  'not an object': '不是 JSON 对象',
  'answered here, the line was down': '云平台断开期间由本网关应答',
  'a log of a box below': '下级网关自身的日志',
  // Why the audit log is not intact
  'it is in no chain: somebody put it in': '它不在任何校验链中，是被插入的',
  'it is not the entry of which the hash was kept: the log was rewritten since':
    '它与另行保存的校验值不符，记录已被重写',
  'it is the newest entry, and is gone: the end was cut off': '最新的条目已不存在，末尾被截去',
  // Why an alert did not get through
  'a password is sent over TLS only: set security to starttls or tls, or leave out the password':
    '密码只通过加密连接发送：请选择 STARTTLS 或 TLS，或不填密码',
  'the receiver answers 410: it wants no more calls': '接收方返回 410，不再接收通知',
  'it was broken off': '已中断',
};

/** Lists of the cloud that are copied, as the box names them when they come in part. */
const listsOfCloud = [
  ['departments', '部门'],
  ['people', '人员'],
  ['devices', '设备'],
  ['features', '特征'],
  ['check-ins', '打卡'],
  ['access records', '通行记录'],
] as const;

/** How a captive portal was noticed. */
const portalSigns = [
  ['it redirects to (\\S+)', '被重定向到 $1', 2],
  ['it answers HTTP 511', '返回 HTTP 511', 1],
  ['it answers with a web page', '返回的是网页', 1],
  ['it answers as a web server', '对方是网页服务器', 1],
  ['its certificate is for another name', '证书属于其他名称', 1],
  ['its certificate is for (.+)', '证书属于 $1', 2],
  ['it does not speak TLS', '对方不使用 TLS', 1],
] as const;

const patterns: readonly (readonly [RegExp, string])[] = [
  ...portalSigns.map(
    ([sign, words, place]) =>
      [
        new RegExp(
          `^a captive portal \\(login page\\) of this network (?:probably )?stands .* \\(${sign}\\): open (\\S+) in a .*$`,
          's',
        ),
        `本网络的认证登录页面（captive portal）${sign.endsWith('511') ? '' : '很可能'}挡在网关与云平台之间（${words}）：请在本网络的浏览器中打开 $${place} 并登录；如果没有出现登录页面，请检查 upstream 中的地址`,
      ] as const,
  ),
  [
    /^the database is slow: a write waited ([\d.]+) s for its commit; .*$/,
    '数据库缓慢：一次写入等待提交 $1 秒；请检查数据库服务器及其同步备用服务器的磁盘',
  ],
  [
    /^the database is as it was at (\S+): it was restored, .* until (\S+) is gone here, .*$/,
    '数据库处于 $1 的状态：它已被恢复到该时刻，或主备切换时丢失了最新的提交；此后到 $2 之间确认过的数据在这里已不存在，云平台上的数据可能比本区域多',
  ],
  [
    /^the database is a copy of another one, found at (\S+): .*$/,
    '数据库是另一个数据库的副本（发现于 $1）：如果原数据库仍有进程在运行，两者使用同一身份；请停止其中一个，或为其设置另一个 box.device_sn',
  ],
  [
    /^the clock of the database's server is (\d+) s ahead of those of all processes: .*$/,
    '数据库服务器的时钟比所有进程快 $1 秒：请检查其校时（chronyc tracking）',
  ],
  [
    /^the clock of the database's server is (\d+) s behind those of all processes: .*$/,
    '数据库服务器的时钟比所有进程慢 $1 秒：请检查其校时（chronyc tracking）',
  ],
  [
    /^the clock of (.*) is (\d+) s ahead of that of the database's server: .*$/,
    '$1 的时钟比数据库服务器快 $2 秒：请检查两者的校时（chronyc tracking）；该进程写入的时间也差这么多',
  ],
  [
    /^the clock of (.*) is (\d+) s behind that of the database's server: .*$/,
    '$1 的时钟比数据库服务器慢 $2 秒：请检查两者的校时（chronyc tracking）；该进程写入的时间也差这么多',
  ],
  [
    /^processes of different versions run on this database: (.*); bring all of them to one$/,
    '同一数据库上运行着不同版本的进程：$1；请将它们更新到同一版本',
  ],
  [
    /^the box above does not take batches of this box: (\S+) is not listed here: .*$/,
    '上级网关尚未登记本网关（$1）：请在上级网关的“设备”页面批准，或在其站点文件的 boxes 中登记；记录保留在本网关，登记后自动上传',
  ],
  [
    /^the box above does not take batches of this box: another box uses the identity (\S+), .*$/,
    '另一个网关正在使用同一身份（$1），例如存储卡被复制：请关闭其中一个；若要继续使用本网关，请在上级网关把 $1 移出列表后重新批准；若本网关应独立使用，请设置另一个 box.device_sn。记录保留在本网关',
  ],
  [
    /^somebody else logs in to the cloud as (\S+) and ends this session again and again: .*$/,
    '另有设备以 $1 的身份登录云平台，并不断中断本网关的连接：可能是存储卡被复制的另一个网关，或自行连接云平台的设备。请关闭其中一个，或为其设置另一个身份（box.device_sn 和 box.access_key）；在此之前两者轮流连接，记录保留在本网关',
  ],
  [/^the box above does not take batches of this box: (.*)$/, '上级网关不接收本网关的批量数据：$1'],
  [
    /^(\S+) belongs to the box above itself: move it to (\S+) on its page there, .*$/,
    '$1 属于上级网关：请在上级网关的设备页面把它移到 $2，再重新发送',
  ],
  [
    /^(\S+) belongs to the box (\S+): move it to (\S+) on its page there, .*$/,
    '$1 属于网关 $2：请在上级网关的设备页面把它移到 $3，再重新发送',
  ],
  [/^belongs to the box (\S+)$/, '属于网关 $1'],
  [/^(MQTT|HTTP) from (.*)$/, '通过 $1，来自 $2'],
  [/^sent a packet of (\d+) bytes; at most (\d+) are taken$/, '发送了 $1 字节的数据包，最多允许 $2 字节'],
  [/^published to (.*), which is not its own$/, '发布到了不属于它的主题 $1'],
  [/^(\d+) s; SPEC 5\.1 says 30 to 60$/, '$1 秒，应为 30 至 60 秒'],
  [
    /^it does not follow where the chain begins: it was changed, or what stood between was removed$/,
    '它与链的起点不相接：它被更改，或其间的条目被删除',
  ],
  [
    /^it does not follow entry (\d+): it was changed, or what stood between was removed$/,
    '它与第 $1 条不相接：它被更改，或其间的条目被删除',
  ],
  [
    /^(\S+) refuses the password of (\S+) \(many providers want an app password or authorisation code here\)(.*)$/s,
    '$1 拒绝了 $2 的密码（许多邮箱要求填写授权码或应用专用密码）$3',
  ],
  [/^(\S+) refuses the recipient ([^:]*)((?::.*)?)$/s, '$1 拒绝了收件人 $2$3'],
  [/^(\S+) does not offer STARTTLS: use port 465 with security tls$/, '$1 不支持 STARTTLS，请改用 465 端口和 TLS'],
  [/^(\S+) is no mail server: it says (.*)$/s, '$1 不是邮件服务器，它返回：$2'],
  [/^(\S+): no answer in time$/, '$1 没有及时响应'],
  [/^(?:(\S+): )?no answer in (\d+) s$/, '$1 在 $2 秒内没有响应'],
  [
    /^the receiver answers HTTP (\d+): redirects are not followed: write the address that it leads to$/,
    '接收方返回 HTTP $1 重定向，请直接填写重定向后的地址',
  ],
  [/^the (receiver|robot) answers HTTP (\d+): (.*)$/s, '接收方返回 HTTP $2：$3'],
  [
    /^no answer of a robot: (.*): compare the address with the one that the robot shows$/s,
    '返回的不是机器人的应答（$1），请核对机器人的地址',
  ],
  [/^the robot refuses it with code (\d+): the token is wrong \((.*)\)$/s, '机器人拒绝了消息，代码 $1：令牌错误（$2）'],
  [
    /^the robot refuses it with code (\d+): the key of the robot is wrong \((.*)\)$/s,
    '机器人拒绝了消息，代码 $1：机器人的 key 错误（$2）',
  ],
  [
    /^the robot refuses it with code (\d+): the address of the robot is wrong \((.*)\)$/s,
    '机器人拒绝了消息，代码 $1：机器人的地址错误（$2）',
  ],
  [
    /^the robot refuses it with code (\d+): a keyword of the robot is missing \((.*)\)$/s,
    '机器人拒绝了消息，代码 $1：缺少机器人的关键词（$2）',
  ],
  [
    /^the robot refuses it with code (\d+): the signature or its time is wrong: compare the secret, and the clock of the box, or a keyword of the robot is missing \((.*)\)$/s,
    '机器人拒绝了消息，代码 $1：签名或时间错误（请核对密钥和网关时钟），或缺少机器人的关键词（$2）',
  ],
  [
    /^the robot refuses it with code (\d+): the signature or its time is wrong: compare the secret, and the clock of the box \((.*)\)$/s,
    '机器人拒绝了消息，代码 $1：签名或时间错误，请核对密钥和网关时钟（$2）',
  ],
  [/^the robot refuses it with code (\d+) \((.*)\)$/s, '机器人拒绝了消息，代码 $1（$2）'],
  ...listsOfCloud.map(
    ([list, words]) =>
      [
        new RegExp(`^the cloud's list of ${list} is incomplete: (.*)\\. Nothing was changed; if it stays so, .*$`, 's'),
        `云平台返回的${words}列表不完整（$1）。没有作任何修改；如持续出现，请联系云平台运营方，或管理中间代理的人员`,
      ] as const,
  ),
  [/^(?:(\S+): )?connect ECONNREFUSED (\S+)$/, '$2 没有服务（连接被拒绝）'],
  [/^(?:(\S+): )?getaddrinfo (?:ENOTFOUND|EAI_AGAIN) (\S+)$/, '无法解析域名 $2（DNS）'],
  [/^(?:(\S+): )?connect (?:EHOSTUNREACH|ENETUNREACH) (\S+)$/, '网络无法到达 $2'],
  [/^(?:(\S+): )?(?:connect )?ETIMEDOUT (\S+)$/, '$2 没有及时响应'],
];

/** A reason that the box wrote in English; what has no translation stays as it is. */
export const reasonInChinese = (text: string): string => {
  const known = chinese[text];
  if (known !== undefined) return known;
  for (const [pattern, words] of patterns) if (pattern.test(text)) return text.replace(pattern, words);
  return text;
};
