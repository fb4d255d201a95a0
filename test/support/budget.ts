import { execFile, execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import type { Reporter, TestModule } from 'vitest/node';
import type {} from './spent.ts';

/** Room above the budget: runs on one machine differ by less. */
const room = 1.25;

const yardstick = fileURLToPath(new URL('yardstick.ts', import.meta.url));
const betweenYardsticksMs = 60_000;

interface Budget {
  /** Processor seconds that `yardstick.ts` took on the machine where the others were measured. */
  readonly yardstick: number;
  readonly projects: Readonly<Record<string, number>>;
}

/**
 * Prints the processor seconds of each project, and fails a run in CI that takes more than
 * `test/processor-seconds.json` allows. A slower machine, or a busier one, is allowed more: by as
 * much as it needed more for a fixed piece of work, once a minute of the same run.
 */
export default class ProcessorBudget implements Reporter {
  readonly #samples: number[] = [];
  #sampling: NodeJS.Timeout | undefined;

  onTestRunStart(): void {
    if (!process.env.CI) return;
    const sample = () => execFile(process.execPath, [yardstick], (_, printed) => this.#take(printed));
    this.#sampling = setInterval(sample, betweenYardsticksMs).unref();
  }

  onTestRunEnd(modules: readonly TestModule[]): void {
    clearInterval(this.#sampling);
    const spent: Record<string, number> = {};
    for (const module of modules)
      spent[module.project.name] = (spent[module.project.name] ?? 0) + (module.meta().processorSeconds ?? 0);
    const slowness = process.env.CI ? this.#slowness() : undefined;
    const lines = Object.entries(spent).map(([project, seconds]) => {
      // What runs by night has no budget.
      if (project.startsWith('nightly-') || slowness === undefined) return `  ${project}: ${seconds.toFixed(0)} s`;
      const allowed = (budget.projects[project] ?? 0) * room * slowness;
      const isOver = seconds > allowed;
      if (isOver) process.exitCode = 1;
      return `  ${project}: ${seconds.toFixed(0)} s of ${allowed.toFixed(0)} s${isOver ? ': over the budget of test/processor-seconds.json; make the tests cheaper, or raise it and say why' : ''}`;
    });
    const of = slowness === undefined ? '' : ` (yardstick ${slowness.toFixed(2)}, ${this.#samples.length} times)`;
    process.stdout.write(`\nProcessor time${of}:\n${lines.join('\n')}\n${process.env.CI ? costliest(modules) : ''}`);
  }

  /** How many times as long as on the machine of the budget: the median of the run, 1 at least. */
  #slowness(): number {
    this.#take(execFileSync(process.execPath, [yardstick], { encoding: 'utf8' }));
    const median = this.#samples.toSorted((one, other) => one - other)[Math.floor(this.#samples.length / 2)]!;
    return Math.max(1, median / budget.yardstick);
  }

  #take(printed: string): void {
    if (Number(printed) > 0) this.#samples.push(Number(printed));
  }
}

/** The files to look at first when a budget is tight. */
function costliest(modules: readonly TestModule[]): string {
  const files = modules.map(module => ({
    file: module.relativeModuleId,
    seconds: module.meta().processorSeconds ?? 0,
  }));
  files.sort((one, other) => other.seconds - one.seconds);
  const lines = files.slice(0, 20).map(({ file, seconds }) => `  ${seconds.toFixed(0).padStart(5)} s ${file}`);
  return `The costliest files:\n${lines.join('\n')}\n`;
}

const budget = JSON.parse(readFileSync(new URL('../processor-seconds.json', import.meta.url), 'utf8')) as Budget;
