import { createInterface } from 'node:readline/promises';
import { type Call, flag, WrongUsage } from './command.ts';
import { printable } from './printable.ts';

/** Asks on the terminal whether to go on, unless `--yes` says so; without a terminal it refuses. */
export async function agreed(call: Call, question: string): Promise<boolean> {
  if (flag(call, 'yes')) return true;
  if (!call.stdin.isTTY) throw new WrongUsage(printable(`${question}\nno terminal to ask on: add --yes to go on`));
  const lines = createInterface({ input: call.stdin, output: call.stderr });
  try {
    const answer = await lines.question(printable(`${question}\nGo on? [y/N] `));
    return /^y(es)?$/i.test(answer.trim());
  } finally {
    lines.close();
  }
}
