import { parse } from 'yaml';
import { didYouMean, nearest } from '../runtime/did-you-mean.ts';
import type { PathStep } from './complaint.ts';
import { configKey, configKeys } from './keys.ts';

const prefix = 'GATEHOUSE_';
/** Variables that are no keys of the config file. */
const reserved = new Set(['GATEHOUSE_CONFIG']);

export interface Override {
  readonly variable: string;
  readonly path: readonly string[];
  readonly value: unknown;
}

export interface BadOverride {
  readonly variable: string;
  readonly reason: string;
}

const variableOf = (path: readonly string[]): string => prefix + path.join('__').toUpperCase();

/**
 * Reads variables such as `GATEHOUSE_LISTEN__MQTTS=127.0.0.1:8883` for `listen.mqtts` (CONTRACT 2).
 * An empty variable counts as not set. A variable with `__` must name a key; any other
 * `GATEHOUSE_…` is ignored unless it looks like a misspelt key.
 */
export function overrides(variables: NodeJS.ProcessEnv): { overrides: Override[]; bad: BadOverride[] } {
  const keys = new Map(configKeys.map(key => [variableOf(key.path), key]));
  const found: Override[] = [];
  const bad: BadOverride[] = [];
  for (const [variable, written] of Object.entries(variables)) {
    if (!variable.startsWith(prefix) || reserved.has(variable) || !written) continue;
    const key = keys.get(variable);
    if (!key) {
      const known = [...keys.keys()];
      const meant = nearest(variable, known);
      if (variable.includes('__') || (meant !== undefined && !meant.includes('__')))
        bad.push({ variable, reason: `no key of the config file${didYouMean(variable, known)}` });
    } else if (key.section) {
      const inside = configKeys.find(
        one => one.path.length === key.path.length + 1 && configKey(one.path.slice(0, -1)) === key,
      );
      bad.push({ variable, reason: `a section: set the keys in it, such as ${variableOf(inside!.path)}` });
    } else {
      found.push({ variable, path: key.path, value: readAs(key.kind, written) });
    }
  }
  return { overrides: found, bad };
}

/** A variable is text: numbers, booleans and lists are parsed where the key needs them. */
function readAs(kind: string, written: string): unknown {
  if (!kind.startsWith('whole number') && kind !== 'true | false' && !kind.startsWith('list')) return written;
  try {
    return parse(written);
  } catch {
    return written;
  }
}

export const overriddenBy = (found: readonly Override[], path: readonly PathStep[]): string | undefined =>
  found.find(({ path: key }) => key.every((step, index) => path[index] === step))?.variable;
