import { area } from '../../words/index.ts';
import { adminSummaries } from './admin-summaries.ts';

/** Summaries of the other APIs' calls, in Chinese, by method and path. */
const otherSummaries: Readonly<Record<string, string>> = {
  'GET /api/1.0.0/app-upgrade/{app_code}': '应用的最新版本（高于其现有版本）；没有时为 {}',
  'GET /api/1.0.0/app/page/{app_code}': '应用的各个版本，最新的在前',
  'GET /api/1.0.0/holiday':
    '中国某年的节假日和调休上班日；响应头 X-Holiday-Source 说明来源：site、cloud、built-in、unpublished',
  'GET /api/1.0.0/holiday/day': '某天的性质',
  'POST /api/1.0.0/message/app': '向应用推送消息',
  'GET /api/1.0.0/message/app': '推送的结果',
  'GET /api/1.0.0/message/app/stream':
    '供设备上的应用接收的实时事件（server-sent events）：每次推送为一个 `message` 事件',
  'POST /api/1.0.0/message/short-message': '发送短信，最多 1000 个号码',
  'GET /api/1.0.0/message/short-message': '短信的发送结果',
  'GET /api/1.0.0/tts': '把文字转为语音',
  'GET /api/1.0.0/weather': '当前天气；响应头 Age 和 Observed-At 说明其时效',
  'POST /api/connect/{clientId}': '设备登录（规范 4.2、5.2）',
  'GET /api/disconnect/{clientId}': '主动下线，Authorization 的值随即失效',
  'GET /api/getUserInfo': '当前登录的用户',
  'GET /api/pull/{clientId}': '设备的消息，最早的未读消息在前',
  'POST /api/push/{clientId}': '设备的消息；200 且 code 为 0 表示已写入磁盘',
  'POST /api/v1.0.0/file': '保存文件，最大 500 MiB',
  'GET /api/v1.0.0/file/{file_id}': '本应用的文件或公开的文件',
  'GET /api/v1.0/backups/{clientId}': '本机为一个下级网关保存的备份，新的在前',
  'GET /api/v1.0/backups/{clientId}/{name}': '取回下级网关的一个备份，内容与送来时相同，只给该网关自己',
  'PUT /api/v1.0/backups/{clientId}/{name}': '保存下级网关的加密备份；200 表示完整且已落盘，最旧的会被删除',
  'POST /api/v1.0/batch/{clientId}/status': '下级网关上报自身状况，每分钟一次，显示在“下级网关”页面',
  'POST /api/v1.0/batch/{clientId}': '下级网关所接设备的记录，seq 递增；重复发送没有影响',
  'POST /api/v2.0/log/{model}/{sn}': '一条日志，JSON 或文本；截短到 4 KB，每秒 20 条，每天 10000 条',
  'GET /oauth/authorize': '由浏览器打开；带 code 或 error 返回 redirect_uri',
  'GET /oauth/token': '用 code 或 refresh_token 换取令牌；参数可在查询、表单或 JSON 中，客户端也可用 HTTP Basic',
  'POST /oauth/token': '用 code 或 refresh_token 换取令牌；参数可在查询、表单或 JSON 中，客户端也可用 HTTP Basic',
  'POST /v2.0/cloudappapi':
    '命令 checkin_query_init、checkin_query、checkin_acs_query、feature_update、checkin_feature_query',
  'POST /v2.0/department': '创建部门，或更新具有此外部编号的部门',
  'POST /v2.0/department/delete': '删除部门及其下的空部门',
  'POST /v2.0/department/ext': '为部门设置外部编号',
  'POST /v2.0/department/init': '设置根部门的外部编号',
  'POST /v2.0/department/query': '部门，最早的在前，包括根部门',
  'POST /v2.0/employee': '创建人员，或更新具有此外部编号的人员',
  'POST /v2.0/employee/delete': '删除人员及其全部打卡',
  'POST /v2.0/employee/ext': '为人员设置外部编号',
  'POST /v2.0/employee/query': '人员，最早的在前',
  'POST /v2.0/org/device/query': '本站点的终端，然后是只有云平台列出的终端',
};

/**
 * Summary of a call, in the language of the page: the document of the box is written in English.
 * Calls of a newer box are shown as the document has them.
 */
export const summaryWords = area(
  { of: (_call: string, summary: string) => summary },
  {
    of: (call, summary) => adminSummaries[call.replace(' /admin/v1/', ' /')] ?? otherSummaries[call] ?? summary,
  },
);
