import { createHmac } from 'node:crypto';
import type { UnixMs, UnixSeconds } from '../../runtime/clock.ts';

/** DingTalk: the secret is the key, and a part of what is signed. To be URL-encoded. */
export const dingtalkSignature = (secret: string, at: UnixMs): string =>
  createHmac('sha256', secret).update(`${at}\n${secret}`).digest('base64');

/** Feishu: time and secret are the key, and nothing is signed. */
export const feishuSignature = (secret: string, at: UnixSeconds): string =>
  createHmac('sha256', `${at}\n${secret}`).digest('base64');

/** Standard Webhooks 1.0.0: the key is what follows `whsec_`, as base64. */
export const webhookSignature = (secret: string, id: string, at: UnixSeconds, body: string): string =>
  `v1,${createHmac('sha256', webhookKey(secret)).update(`${id}.${at}.${body}`).digest('base64')}`;

const prefix = 'whsec_';
const webhookKey = (secret: string): Buffer =>
  Buffer.from(secret.startsWith(prefix) ? secret.slice(prefix.length) : secret, 'base64');
