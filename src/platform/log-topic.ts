import { limits } from './limits.ts';

/**
 * SPEC 4.1: `log/{model}/{sn}`; null for any other topic. The model is free text of at most 128
 * bytes, without what a topic cannot hold: wildcards, control characters, bytes that are no UTF-8.
 */
export function parseLogTopic(topic: string): { readonly model: string; readonly sn: string } | null {
  if (!topic.startsWith('log/')) return null;
  const slash = topic.indexOf('/', 4);
  if (slash < 5 || slash === topic.length - 1 || topic.indexOf('/', slash + 1) >= 0) return null;
  const model = topic.slice(4, slash);
  if (model.length > limits.logModelBytesMax || Buffer.byteLength(model) > limits.logModelBytesMax) return null;
  return unusable.test(model) ? null : { model, sn: topic.slice(slash + 1) };
}

const unusable = /[+#\p{Cc}\ufffd]/u;
