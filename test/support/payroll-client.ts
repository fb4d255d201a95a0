import { createHash } from 'node:crypto';
import { appendFileSync, existsSync, readFileSync, truncateSync } from 'node:fs';
import { Agent, request } from 'node:https';

/**
 * An independent payroll system: it makes its own signatures, pages until a page is empty, and
 * stores next_id together with the records in one line of a file, so that a crash loses both or
 * none (a line that a crash cut off is removed). Ends when the file `--until` exists and nothing is left.
 */
const [url, caFile, key, secret, stateFile, untilFile] = process.argv.slice(2) as [
  string,
  string,
  string,
  string,
  string,
  string,
];
const path = '/v2.0/cloudappapi';
const agent = new Agent({ keepAlive: true, maxSockets: 1, ca: readFileSync(caFile) });

function post(
  command: string,
  body: object,
): Promise<{ code: number; msg: string; data: { next_id: number; data: { id: string }[] } }> {
  const timestamp = String(Date.now());
  const text = JSON.stringify(body);
  return new Promise((resolve, reject) => {
    const outgoing = request(
      `${url}${path}`,
      {
        method: 'POST',
        agent,
        headers: {
          'Content-Type': 'application/json; charset=UTF-8',
          'Content-Length': Buffer.byteLength(text),
          'App-Key': key,
          'App-Timestamp': timestamp,
          'App-Sig': createHash('md5')
            .update(path + timestamp + key + secret)
            .digest('hex'),
          'Api-Module': 'CHECKIN',
          'Api-Cmd': command,
        },
      },
      incoming => {
        const chunks: Buffer[] = [];
        incoming.on('data', chunk => chunks.push(chunk));
        incoming.on('end', () => {
          answeredAt = performance.now();
          resolve(JSON.parse(Buffer.concat(chunks).toString('utf8')));
        });
      },
    );
    outgoing.on('error', reject);
    outgoing.end(text);
  });
}

/** When the last byte arrived: parsing is the client's own time. */
let answeredAt = 0;
let nextId = 0;
if (existsSync(stateFile)) {
  const text = readFileSync(stateFile, 'utf8');
  const whole = text.lastIndexOf('\n') + 1;
  truncateSync(stateFile, whole); // All of it is ASCII.
  for (const line of text.slice(0, whole).split('\n').slice(0, -1)) nextId = JSON.parse(line).next_id;
}

const tookMs: number[] = [];
for (;;) {
  const last = existsSync(untilFile);
  const begun = performance.now();
  const { code, msg, data } = await post('checkin_query', { next_id: nextId, page_size: 500 });
  if (code === 110) continue;
  if (code !== 0) throw new Error(`${code}: ${msg}`);
  if (data.data.length === 500) tookMs.push(answeredAt - begun);
  if (data.data.length === 0) {
    if (last) break;
    await new Promise(resolve => setTimeout(resolve, 20));
    continue;
  }
  nextId = data.next_id;
  appendFileSync(stateFile, `${JSON.stringify({ next_id: nextId, ids: data.data.map(one => Number(one.id)) })}\n`);
}
tookMs.sort((one, other) => one - other);
const at = (share: number) => Math.round((tookMs[Math.floor(tookMs.length * share)] ?? 0) * 100) / 100;
process.stdout.write(JSON.stringify({ pages: tookMs.length, p50: at(0.5), p99: at(0.99), worst: at(0.9999) }));
