import { split, wordOf } from './audit-names.ts';
import { sentences } from './sentences.ts';

const setting = wordOf({
  ...{ mode: '上传方式', device_mqtt: 'MQTT 地址', device_http: 'HTTP 地址', ca: '根证书' },
  ...{ product_id: '产品编号', device_sn: '序列号', access_key: '设备密钥' },
  ...{
    'listen.events': '事件服务地址',
    host_name: '主机名',
    time_servers: '时间服务器',
    address: 'IP 地址',
    router: '路由器',
  },
  ...{ name_servers: 'DNS 服务器' },
});

/** Subjects of changes of the config on pages, in the audit log. */
export const settingSubjects = sentences({
  page_settings: {
    /** A line for each change: field, value before and after, with tabs; of a secret the field. */
    en: ({ changes }: { changes: string }) =>
      split(changes, '\n')
        .map(line => {
          const [what = '', from, to] = line.split('\t');
          return from === undefined ? `${what} changed` : `${what}: ${from || 'none'} → ${to || 'none'}`;
        })
        .join('; '),
    zh: ({ changes }) =>
      split(changes, '\n')
        .map(line => {
          const [what = '', from, to] = line.split('\t');
          return from === undefined
            ? `${setting(what)}已更改`
            : `${setting(what)}由 ${from || '无'} 改为 ${to || '无'}`;
        })
        .join('；'),
  },
});
