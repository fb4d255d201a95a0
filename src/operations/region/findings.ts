import type { Found } from '../../words/checks.ts';
import type { Finding } from '../doctor/check.ts';

/** One look at a region may find several things. */
export type Findings = readonly Finding[];
export const ok = (finding: Found): Finding => ({ state: 'ok', ...finding });
export const failed = (finding: Found): Finding => ({ state: 'failed', ...finding });
export const warn = (finding: Found): Finding => ({ state: 'warn', ...finding });
export const wordsOf = (error: unknown): string => (error as Error).message || String(error);
export const listed = (names: readonly string[]): string => names.join(', ');
