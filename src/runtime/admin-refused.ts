import type { Problem } from './problem.ts';

/** The box did not do what was asked; the message is its reason. */
export class AdminRefused extends Error {
  readonly problem: Problem;
  /** When to try again; absent: no moment is better than another. */
  readonly retryAfterSeconds: number | undefined;
  constructor(problem: Problem, retryAfterSeconds?: number) {
    super(problem.detail || problem.title);
    this.name = 'AdminRefused';
    this.problem = problem;
    this.retryAfterSeconds = retryAfterSeconds;
  }
}

/** By its name: the commands and the box are two bundles, each with a class of its own. */
export const isAdminRefused = (error: unknown): error is AdminRefused =>
  error instanceof Error && error.name === 'AdminRefused';
