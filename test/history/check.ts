/**
 * `bin/node test/history/check.ts FILE`: judges a history (README.md). Ends with 0 where every rule
 * was kept, and with 1 where one was not; says which, and for what record.
 */
import { createReadStream } from 'node:fs';
import { createInterface } from 'node:readline';
import type { Entry } from './entry.ts';
import { Judge, type Verdict } from './judge.ts';

export async function checkFile(file: string): Promise<Verdict> {
  const judge = new Judge();
  for await (const line of createInterface({ input: createReadStream(file) })) judge.take(JSON.parse(line) as Entry);
  return judge.verdict();
}

if (import.meta.main) {
  const [file] = process.argv.slice(2);
  if (file === undefined) throw new Error('which history? check.ts FILE');
  const { findings, count, says } = await checkFile(file);
  for (const finding of findings) process.stdout.write(`${finding.rule}: ${finding.says}\n`);
  process.stdout.write(`${says}\n${count === 0 ? 'every rule was kept' : `${count} findings`}\n`);
  process.exitCode = count === 0 ? 0 : 1;
}
