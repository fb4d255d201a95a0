import { split, wordOf } from './audit-names.ts';
import { sentences } from './sentences.ts';

/** Why a call of a webhook did not get through. */
export const webhookFailures = sentences({
  webhook_gone: {
    en: 'the receiver answers 410: nothing more is sent until the webhook is resumed or changed, or the box restarts',
    zh: '接收方返回 410，不再接收：恢复或修改此 webhook、或重启网关后才会再次发送',
  },
  webhook_redirects: {
    en: ({ status }: { status: number }) =>
      `the receiver answers HTTP ${status}: redirects are not followed: write the address that it leads to`,
    zh: ({ status }) => `接收方返回 HTTP ${status} 重定向，请直接填写重定向后的地址`,
  },
  webhook_answers: {
    en: ({ status }: { status: number }) => `the receiver answers HTTP ${status}`,
    zh: ({ status }) => `接收方返回 HTTP ${status}`,
  },
  webhook_called_elsewhere: {
    en: 'another process of this region calls the webhooks',
    zh: '由本区域的另一个进程调用 webhook',
  },
});

const part = wordOf({
  ...{ url: '地址', kinds: '事件类型', secret: '更换密钥' },
  ...{ paused: '暂停', resumed: '恢复' },
});

/** Subjects of entries of the audit log about webhooks. */
export const webhookSubjects = sentences({
  webhook_added: {
    en: ({ name, host }: { name: string; host: string }) => `${name}: events go to ${host}`,
    zh: ({ name, host }) => `${name}：事件发送到 ${host}`,
  },
  webhook_changed: {
    en: ({ name, keys }: { name: string; keys: string }) => `${name}: ${keys}`,
    zh: ({ name, keys }) => `修改 ${name}：${split(keys, ', ').map(part).join('、')}`,
  },
});
