import { area } from '../../words/index.ts';

export const docsWords = area(
  {
    count: (count: string) => `API reference · ${count} endpoints`,
    found: (found: number, all: number) => `${found} of ${all} endpoints`,
    search: 'Search by path or text',
    groups: {
      admin: 'Admin API',
      attendance: 'Attendance API (signed, POST)',
      services: 'Public services (signed)',
      oauth: 'Sign-in for other apps (OAuth)',
      devices: 'Device gateway',
    },
    adminNote:
      'Send a token from `gatehouse token create`: Authorization: Bearer TOKEN. Reading requires the role viewer, changes admin, unless stated otherwise.',
    signedNote:
      'Signed with the secret of an API key. Samples in four languages sign and run; Integrations, Console sends a request for you.',
    parameters: 'Parameters',
    name: 'Name',
    where: 'In',
    kind: 'Type',
    meaning: 'Meaning',
    needed: 'required',
    characters: 'characters',
    body: 'Body',
    answers: 'Responses',
    curl: 'curl',
    sample: 'Sample',
    sampleNote: {
      attendance:
        'Set `APP_KEY` and `APP_SECRET`, and save the trust store of `gatehouse trust export` as `trust.pem`.',
      services: 'Set `APP_ID` and `APP_KEY`, and save the trust store of `gatehouse trust export` as `trust.pem`.',
    },
    address: '/openapi.json',
    document: 'OpenAPI document: /openapi.json',
    and: ', ',
    topics: 'MQTT topics: /asyncapi.json',
    places: { query: 'query', path: 'path', header: 'header', cookie: 'cookie' },
  },
  {
    count: count => `接口文档 · ${count} 个接口`,
    found: (found, all) => `${all} 个接口中 ${found} 个符合`,
    search: '按路径或文字搜索',
    groups: {
      admin: '管理接口',
      attendance: '考勤接口（需签名，POST）',
      services: '公共服务（需签名）',
      oauth: '应用登录授权（OAuth）',
      devices: '设备接入',
    },
    adminNote:
      '请带上用 `gatehouse token create` 生成的令牌：Authorization: Bearer TOKEN。读取需要只读权限，修改一般需要管理员权限。',
    signedNote: '用 API 密钥签名。每个接口有四种语言的示例，可直接签名并运行；“系统对接 › 接口调试”可代为发送。',
    parameters: '参数',
    name: '名称',
    where: '位置',
    kind: '类型',
    meaning: '含义',
    needed: '必填',
    characters: '个字符',
    body: '请求内容',
    answers: '响应',
    curl: '用 curl 调用',
    sample: '示例',
    sampleNote: {
      attendance:
        '请设置环境变量 `APP_KEY` 和 `APP_SECRET`，并将 `gatehouse trust export` 导出的信任证书存为 `trust.pem`。',
      services: '请设置环境变量 `APP_ID` 和 `APP_KEY`，并将 `gatehouse trust export` 导出的信任证书存为 `trust.pem`。',
    },
    address: '/openapi.json?lang=zh',
    document: 'OpenAPI 文档：/openapi.json?lang=zh',
    and: '，',
    topics: 'MQTT 主题：/asyncapi.json',
    places: { query: '查询参数', path: '路径', header: '请求头', cookie: 'Cookie' },
  },
);
