/** SPEC 4.1: `log/{model}/{sn}`; null for any other topic. */
export function parseLogTopic(topic: string): { readonly model: string; readonly sn: string } | null {
  if (!topic.startsWith('log/')) return null;
  const slash = topic.indexOf('/', 4);
  if (slash < 5 || slash === topic.length - 1 || topic.indexOf('/', slash + 1) >= 0) return null;
  return { model: topic.slice(4, slash), sn: topic.slice(slash + 1) };
}
