import { whyInChinese } from '../../words/reasons.ts';
import type { AlertChannel } from '../alerts.ts';
import { nameOf, number, reasonIn, type Said, type SpanUnits, spanIn, text } from './said.ts';

const units: SpanUnits = {
  days: days => `${days} 天`,
  hours: hours => `${hours} 小时`,
  minutes: minutes => `${minutes} 分钟`,
  seconds: seconds => `${seconds} 秒`,
};

/** `2026-10` 写作 2026年10月。 */
const monthIn = (month: string): string => `${month.slice(0, 4)}年${Number(month.slice(5))}月`;

/** 既不是写满，也不正常。 */
const isFailing = (state: string): boolean => state === 'broken' || state === 'read_only';

export const zh: Said = {
  kinds: {
    disk: {
      name: '磁盘',
      title: details =>
        text(details, 'state') === 'ok'
          ? details.inodes === undefined
            ? `磁盘已用 ${number(details, 'percent')}%`
            : `磁盘只能再存 ${number(details, 'inodes')} 个文件`
          : text(details, 'state') === 'unreadable'
            ? '磁盘部分位置无法读取'
            : text(details, 'state') === 'unwritable'
              ? '磁盘部分位置无法写入'
              : isFailing(text(details, 'state'))
                ? '磁盘故障'
                : '磁盘已满，无法接收新记录',
      many: () => '磁盘需要处理',
      means: details =>
        text(details, 'state') === 'unreadable'
          ? `网关跳过无法读取的部分继续工作：最多有 ${number(details, 'records')} 条已确认的记录无法读取。`
          : text(details, 'state') === 'unwritable'
            ? '已确认的数据保存在数据库的日志文件中，该文件会不断变大，直到磁盘写满。'
            : text(details, 'state') !== 'ok'
              ? '网关暂不确认任何数据：设备会保留打卡记录并重新发送。'
              : details.inodes !== undefined
                ? '磁盘的 inode 即将用完，与剩余容量无关。用完后无法上传文件、备份、更新和更换证书；打卡记录仍会保存。'
                : details.days === undefined
                  ? '写满后先删除云平台已收到的数据，再删旧日志，考勤记录不会删除。'
                  : `${number(details, 'days')} 天后必须删除一部分数据：先删云平台已收到的，考勤记录不会删除。`,
      todo: details =>
        text(details, 'state') === 'unreadable'
          ? '请立即备份，换上新存储卡并在上面恢复备份。gatehouse status 会列出缺少的内容。'
          : text(details, 'state') === 'unwritable'
            ? '请立即备份，换上新存储卡并在上面恢复备份。'
            : isFailing(text(details, 'state'))
              ? '请先重启一次机器，这会修复文件系统。如果仍然如此，请换上新存储卡并恢复备份。'
              : details.inodes !== undefined
                ? '请用 du --inodes 查明哪里文件过多并删除，或更换更大的磁盘。'
                : '请在“系统”页面清理空间，或更换更大的磁盘。',
    },
    wear: {
      name: '存储卡损耗',
      title: details => `按目前速度，存储卡只能用 ${number(details, 'days')} 天`,
      many: () => '存储卡损耗过快',
      means: () => '写坏的存储卡会突然失效。云平台或备份中已有的数据不受影响。',
      todo: () => '请换用高耐久存储卡或固态硬盘，并查明哪台设备发送量过大。',
    },
    line: {
      name: '云平台连接',
      title: details => (number(details, 'refused') === 1 ? '云平台拒绝本网关登录' : '与云平台断开'),
      many: () => '与云平台断开',
      means: details =>
        details.days === undefined
          ? `打卡记录保存在网关上，恢复连接后自动上传。待上传 ${number(details, 'waiting')} 条。`
          : `打卡记录可在网关上保存 ${number(details, 'days')} 天，恢复连接后自动上传。待上传 ${number(details, 'waiting')} 条。`,
      todo: details =>
        `请检查路由器和宽带，再到“系统”中做网络检测。原因：${whyInChinese(reasonIn(details)) || '未知'}。`,
    },
    backlog: {
      name: '待上传记录',
      title: details => `有记录待上传已 ${number(details, 'minutes')} 分钟`,
      many: () => '有记录待上传',
      means: details => `云平台已连接，但有 ${number(details, 'waiting')} 条记录未确认。记录不会丢失。`,
      todo: () => '请在“同步”页面查看哪些设备有待上传记录，以及云平台是否响应。',
    },
    silent: {
      name: '设备离线',
      title: (details, subject) => `${nameOf(details, subject)} 已离线`,
      many: (count, details) =>
        details?.all === 1 ? `全部 ${count} 台设备离线：请检查交换机、网络或电源` : `${count} 台设备离线`,
      means: () => '恢复之前看不到在该设备上的打卡。多数设备会保留记录，恢复后补传。',
      todo: () => '请检查电源和网线；设备页面上有最后通信时间和被拒原因。',
    },
    logins: {
      name: '登录被拒',
      title: details => `十分钟内有 ${number(details, 'count')} 次登录被拒`,
      many: () => '多次登录被拒',
      means: () => '可能是设备密钥错误而无法上传，也可能有人在试探密钥。',
      todo: () => '“设备”页面列出了被拒的设备和原因。',
    },
    backup: {
      name: '备份',
      title: details =>
        number(details, 'never') === 1 ? '尚未备份' : `最近一次备份在 ${number(details, 'days')} 天前`,
      many: () => '备份过旧',
      means: () => '如果磁盘损坏，人员、设备和密钥都要重新录入。',
      todo: () => '请在“系统”—“备份”中做一次备份，并存放到网关之外。',
    },
    box_clock: {
      name: '网关时钟',
      title: () => '网关时钟未同步',
      many: () => '网关时钟未同步',
      means: () => '时钟会逐渐偏差：接收时间出错，签名会被拒绝。',
      todo: () => '请让网关能访问时间服务器（NTP，UDP 123 端口），或指定本单位的时间服务器。',
    },
    device_clock: {
      name: '设备时钟',
      title: (details, subject) => {
        const seconds = number(details, 'seconds');
        return `${nameOf(details, subject)} 的时钟${seconds < 0 ? '慢' : '快'} ${spanIn(units, Math.abs(seconds) * 1000)}`;
      },
      many: count => `${count} 台设备的时钟不准`,
      means: () => '该设备的打卡时间有误，报表中已标注。',
      todo: () => '请让设备向网关校时，或手工设置时间。',
    },
    unreadable: {
      name: '无法读取的消息',
      title: (details, subject) =>
        `${nameOf(details, subject)} 发送的消息无法读取：${whyInChinese(reasonIn(details))}（共 ${number(details, 'count')} 条）`,
      many: count => `${count} 台设备发送的消息无法读取`,
      means: () =>
        '其中可能有打卡记录。消息已保存，并原样上传云平台（特征留在本单位时除外）；网关的打卡列表中没有这些记录。',
      todo: () =>
        '设备页面显示消息的前几个字节。请联系设备厂商改用 UTF-8 的 JSON（SPEC 2.5）；常见原因是姓名采用 GBK 编码。',
    },
    used_twice: {
      name: '设备编号重复',
      title: (details, subject) =>
        `两台设备使用同一个设备编号：${nameOf(details, subject)}，地址为 ${text(details, 'addresses').replaceAll(' and ', '、')}`,
      many: count => `${count} 个设备编号各被两台设备使用`,
      means: () => '每次登录都会断开另一台设备的连接：两台设备的上报都会延迟，记录也会混在一起。',
      todo: () =>
        '请关闭其中一台，并为它设置单独的设备编号：克隆的存储器带有另一台设备的序列号。如果只有一台设备，说明固件没有关闭旧连接就建立了新连接，请联系设备厂商。',
    },
    certificate: {
      name: '证书',
      title: details =>
        number(details, 'days') < 0 ? '网关的证书已到期' : `网关的证书将在 ${number(details, 'days')} 天后到期`,
      many: () => '网关的证书即将到期',
      means: () => '到期后设备和浏览器会拒绝连接网关。',
      todo: () => '请把新证书放到配置中 tls 所指的位置，然后重启网关。',
    },
    update: {
      name: '升级',
      title: () => '有可用升级',
      many: () => '有可用升级',
      means: details => `${text(details, 'file')} 已就位，尚未安装。`,
      todo: () => '请避开高峰时段，在“系统”—“升级”中安装。',
    },
    refused_records: {
      name: '记录被拒',
      title: details => `云平台拒收了 ${number(details, 'count')} 条记录`,
      many: () => '云平台拒收了记录',
      means: () => '这些记录保留在网关上，云平台缺少这些记录。其余记录照常上传。',
      todo: () => '“同步”页面写明了原因。排除原因后可在那里重新发送。',
    },
    missing_at_cloud: {
      name: '云平台缺少人员',
      title: details =>
        text(details, 'incomplete') === ''
          ? `云平台上缺少 ${number(details, 'missing')} 个人员或部门`
          : '云平台的列表不完整',
      many: () => '云平台的列表变化过大，或不完整',
      means: details => {
        const [missing, held] = [number(details, 'missing'), number(details, 'held')];
        const incomplete = text(details, 'incomplete');
        return [
          ...(incomplete === '' ? [] : [`${whyInChinese(reasonIn(details, 'incomplete'))}。`]),
          ...(missing === 0 ? [] : ['这些人员和部门连同全部数据保留在网关上，终端上也保留。']),
          ...(missing - held > 0 ? [`其中 ${missing - held} 个在完整列表连续 24 小时都没有后删除。`] : []),
          ...(held > 0 ? [`${held} 个同时缺少，疑似出错：只能由工作人员删除。`] : []),
        ].join('');
      },
      todo: () =>
        '请核对这些人员是否仍在云平台的组织中。如果确已离开，无需处理，也可以在“同步”页面立即删除；如果没有离开，请联系云平台运营方。',
    },
    rejected: {
      name: '被拒设备',
      title: details => `${number(details, 'count')} 台设备被拒绝`,
      many: count => `${count} 台设备被拒绝`,
      means: () => '被拒设备的数据不会进入本网关。',
      todo: () => '“设备”页面列出了原因和处理按钮。',
    },
    approval: {
      name: '人员数据授权',
      title: (details, subject) => `${nameOf(details, subject)} 待批准接收人员数据`,
      many: count => `${count} 台设备待批准接收人员数据`,
      means: () => '批准之前，设备不会收到姓名、人脸和指纹。',
      todo: () => '请核对序列号，然后在“设备”页面批准。',
    },
    never: {
      name: '从未上线',
      title: (details, subject) => `${nameOf(details, subject)} 从未上线`,
      many: count => `${count} 台设备从未上线`,
      means: () => '设备已登记，但从未收到其数据。',
      todo: () => '请接入设备，或将其从列表中删除。',
    },
    no_device: {
      name: '暂无设备',
      title: () => '尚未添加设备',
      many: () => '尚未添加设备',
      means: () => '本站点还无法打卡。',
      todo: () => '请添加第一台设备。',
    },
    zone: {
      name: '站点时区',
      title: details => `时区未确认：${text(details, 'zone')}`,
      many: () => '时区未确认',
      means: () => '日期、迟到和工资都按此时区计算。',
      todo: () => '请在“设置”页面核对站点名称和时区并保存。',
    },
    recovery_key: {
      name: '恢复密钥',
      title: details => (text(details, 'state') === 'none' ? '没有恢复密钥' : '恢复密钥未确认保管'),
      many: () => '恢复密钥未确认保管',
      means: details =>
        text(details, 'state') === 'none'
          ? '备份用它加密，没有密钥就无法备份。'
          : '只有它能打开备份，但还没有人确认已妥善保管。',
      todo: details =>
        text(details, 'state') === 'none' ? '请生成密钥，打印或下载后确认已保管。' : '请确认已保管，或重新生成。',
    },
    no_backup: {
      name: '尚未备份',
      title: () => '尚未备份',
      many: () => '尚未备份',
      means: () => '如果磁盘损坏，人员、设备和密钥都要重新录入。',
      todo: () => '请在“系统”的“备份”页面备份，或设置定时备份。',
    },
    month: {
      name: '待封存月份',
      title: details => `${monthIn(text(details, 'month'))}考勤待封存`,
      many: () => '有月份待封存',
      means: () => '调整考勤或补传记录仍会改变当月结果。',
      todo: () => '请核对后封存。',
    },
    rebooted: {
      name: '网关重启',
      title: () => '网关已重启',
      many: () => '网关已重启',
      means: () => '已确认的数据没有丢失。如果不是人为操作，说明断过电。',
      todo: () => '如属正常操作无需处理，否则请检查供电。',
    },
    daily_report: {
      name: '考勤日报未送达',
      title: (_, subject) => `考勤日报“${subject}”未送达`,
      many: count => `${count} 份考勤日报未送达`,
      means: details => `${whyInChinese(reasonIn(details))}。该份不再发送，下一份按时发送。`,
      todo: () => '请改正其渠道或收件人，并在预览中发送测试。',
    },
    channel: {
      name: '告警发送失败',
      title: (_, subject) => `通过${zh.channels[subject as AlertChannel] ?? subject}发送告警失败`,
      many: count => `${count} 个告警渠道发送失败`,
      means: details => `${whyInChinese(reasonIn(details))}。告警改由其他渠道发送。`,
      todo: () => '请在“系统”—“告警”中改正，并发送测试消息。',
    },
  },
  severities: { note: '提示', warn: '警告', critical: '严重' },
  channels: {
    ...{ mail: '邮件', webhook: 'Webhook', dingtalk: '钉钉', feishu: '飞书', wecom: '企业微信' },
    ...{ push: '应用推送', sms: '短信' },
  },
  over: title => `已恢复：${title}`,
  lasted: (lasted, from, to) => `持续 ${lasted}，从 ${from} 到 ${to}。`,
  since: moment => `开始于 ${moment}。`,
  more: count => `以及另外 ${count} 个`,
  atOnce: '这些设备同时离线，请先检查交换机和供电。',
  digest: (count, open) => `免打扰时段共 ${count} 条告警，${open} 条仍未恢复`,
  digestOver: (title, lasted) => `${title}：已恢复，持续 ${lasted}`,
  asOf: moment => `生成于 ${moment}。`,
  test: site => `${site} 的测试消息`,
  testLine: '此渠道工作正常。',
  units,
};
