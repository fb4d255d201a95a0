import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { DatabaseSync } from 'node:sqlite';
import type { Reporter, TestModule } from 'vitest/node';
import type {} from './spent.ts';

/** Room above the budget: runs on one machine differ by less. */
const room = 1.25;

interface Budget {
  /** Processor seconds that `yardstick` took on the machine where the others were measured. */
  readonly yardstick: number;
  readonly projects: Readonly<Record<string, number>>;
}

/**
 * Prints the processor seconds of each project, and fails a run in CI that takes more than
 * `test/processor-seconds.json` allows. A slower machine, or a busier one, is allowed more: by as
 * much as it needs more for a fixed piece of work at the end of the same run.
 */
export default class ProcessorBudget implements Reporter {
  onTestRunEnd(modules: readonly TestModule[]): void {
    const budget = JSON.parse(readFileSync(new URL('../processor-seconds.json', import.meta.url), 'utf8')) as Budget;
    const spent: Record<string, number> = {};
    for (const module of modules)
      spent[module.project.name] = (spent[module.project.name] ?? 0) + (module.meta().processorSeconds ?? 0);
    const slowness = Math.max(1, yardstick() / budget.yardstick);
    const lines = Object.entries(spent).map(([project, seconds]) => {
      // What runs by night has no budget.
      if (project.startsWith('nightly-')) return `  ${project}: ${seconds.toFixed(0)} s`;
      const allowed = (budget.projects[project] ?? 0) * room * slowness;
      const isOver = seconds > allowed;
      if (isOver && process.env.CI) process.exitCode = 1;
      return `  ${project}: ${seconds.toFixed(0)} s of ${allowed.toFixed(0)} s${isOver ? ': over the budget of test/processor-seconds.json; make the tests cheaper, or raise it and say why' : ''}`;
    });
    process.stdout.write(`\nProcessor time (yardstick ${slowness.toFixed(2)}):\n${lines.join('\n')}\n`);
  }
}

/** Processor seconds of a fixed piece of work: SQLite, JSON, hashing. */
function yardstick(): number {
  const before = process.cpuUsage();
  const database = new DatabaseSync(':memory:');
  database.exec('CREATE TABLE t (id INTEGER PRIMARY KEY, body TEXT); CREATE INDEX by_body ON t (body)');
  const insert = database.prepare('INSERT INTO t (body) VALUES (?)');
  for (let turn = 0; turn < 60_000; turn++) {
    const body = JSON.stringify({ turn, text: createHash('sha256').update(String(turn)).digest('hex') });
    insert.run((JSON.parse(body) as { text: string }).text);
  }
  database.prepare('SELECT body FROM t ORDER BY body DESC').all();
  database.close();
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1e6;
}
