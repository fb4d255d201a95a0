import type { Reporter, TestModule } from 'vitest/node';

/**
 * Ends the output with one plain line for readers of a CI log: `12 passed, 0 failed, 1 skipped`.
 */
export default class Tally implements Reporter {
  onTestRunEnd(modules: readonly TestModule[]): void {
    const count = { passed: 0, failed: 0, skipped: 0, pending: 0 };
    for (const module of modules) for (const test of module.children.allTests()) count[test.result().state]++;
    const failedFiles = modules.filter(
      module => !module.ok() && [...module.children.allTests('failed')].length === 0,
    ).length;
    process.stdout.write(`\n${count.passed} passed, ${count.failed + failedFiles} failed, ${count.skipped} skipped\n`);
  }
}
