import { readFileSync } from 'node:fs';

/**
 * Whether the processor has instructions for AES: not on a Raspberry Pi 4, for one. Without
 * `/proc/cpuinfo` it is taken to have them.
 */
export function hasAesInstructions(file = '/proc/cpuinfo'): boolean {
  try {
    return saysAes(readFileSync(file, 'utf8'));
  } catch {
    return true;
  }
}

/** `Features` on ARM, `flags` on x86: a list of words. */
const saysAes = (cpuinfo: string): boolean => {
  const lists = cpuinfo.match(/^(?:Features|flags)\s*:.*$/gm) ?? [];
  return lists.length === 0 || lists.every(list => /\baes\b/.test(list));
};
