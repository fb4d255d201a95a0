import { once } from 'node:events';
import { closeSync, openSync, rmSync, writeSync } from 'node:fs';
import type { IncomingMessage } from 'node:http';
import { request } from 'node:https';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { BoxProcess } from '../support/program.ts';
import { SmallDisk } from '../support/small-disk.ts';
import { suiteWhere } from '../support/tools.ts';
import { until } from '../support/until.ts';

const password = 'a-long-enough-password';
const site = { users: [{ name: 'mei', password, role: 'admin' }] };

/** Each takes about 15 kB of the log of the database, which has under a megabyte here. */
const signInsMax = 300;

interface Answer {
  readonly status: number;
  // biome-ignore lint/suspicious/noExplicitAny: whatever the route answers
  readonly json: any;
  readonly cookie: string;
}

/** A browser at the box, as far as signing in needs one. */
function aBrowser(box: BoxProcess) {
  const url = `https://${box.addresses.https}`;
  let cookie = '';
  return async (method: string, path: string, body?: unknown): Promise<Answer> => {
    const headers = { origin: url, cookie, 'content-type': 'application/json' };
    const outgoing = request(`${url}/admin/v1${path}`, { method, headers, rejectUnauthorized: false });
    outgoing.end(body === undefined ? undefined : JSON.stringify(body));
    const [answer] = (await once(outgoing, 'response')) as [IncomingMessage];
    cookie = answer.headers['set-cookie']?.[0]?.split(';')[0] ?? cookie;
    const text = await textOf(answer);
    return { status: answer.statusCode!, json: text.startsWith('{') ? JSON.parse(text) : text, cookie };
  };
}

async function textOf(answer: IncomingMessage): Promise<string> {
  let text = '';
  for await (const chunk of answer.setEncoding('utf8')) text += chunk;
  return text;
}

/** What another program wrote: every byte that is free. */
function fill(file: string): void {
  const handle = openSync(file, 'a');
  const block = Buffer.alloc(4096);
  try {
    for (;;) writeSync(handle, block);
  } catch (error) {
    expect((error as NodeJS.ErrnoException).code).toBe('ENOSPC');
  } finally {
    // A file that is open keeps its room after it is removed.
    closeSync(handle);
  }
}

suiteWhere(
  SmallDisk.possible,
  'needs root, to mount a small file system: sudo npm test',
  'a disk that another program filled',
  () => {
    test('staff sign in and look at every page; a change is refused with what to do; who signed in is written down when there is room', async () => {
      using disk = new SmallDisk(24);
      await using box = await BoxProcess.start({}, site, {}, join(disk.folder, 'data'));
      const earlier = aBrowser(box);
      expect((await earlier('POST', '/session', { name: 'mei', password })).status).toBe(200);
      const filler = join(disk.folder, 'filler');
      // The store has some room in its files: it is full when it takes no more changes.
      let refused: Answer | undefined;
      for (let no = 0; no < 5000 && refused === undefined; no++) {
        if (no % 20 === 0) fill(filler);
        const answer = await earlier('POST', '/tokens', { name: `token ${no}`, role: 'viewer', days: 1 });
        if (answer.status !== 200) refused = answer;
      }
      expect(refused).toMatchObject({
        status: 503,
        json: { title: 'disk_full', detail: expect.stringContaining('free up space') },
      });

      const now = aBrowser(box);
      const written = async () => {
        const { json } = await now('GET', '/audit?text=sign&limit=500');
        return json.rows.map((row: { action: string }) => row.action) as string[];
      };
      // Now and then a checkpoint leaves room for some: it goes on until an entry has to wait.
      let signedIn: Answer | undefined;
      let signIns = 0;
      let waits = false;
      while (signIns < signInsMax && !waits) {
        fill(filler);
        signedIn = await now('POST', '/session', { name: 'mei', password });
        expect(signedIn).toMatchObject({ status: 200, json: { user: { name: 'mei' } } });
        signIns++;
        waits = (await written()).length < signIns + 1;
      }
      expect(waits).toBe(true);
      for (const path of ['/session', '/today', '/status', '/devices/rows', '/audit', '/system', '/users', '/people'])
        expect([path, (await now('GET', path)).status]).toEqual([path, 200]);
      // Signing out ends the session, although nothing can be written.
      const third = aBrowser(box);
      await third('POST', '/session', { name: 'mei', password });
      expect((await third('DELETE', '/session')).status).toBe(200);

      rmSync(filler);
      await until(
        'it takes changes again',
        async () => (await now('POST', '/tokens', { name: 'after', role: 'viewer', days: 1 })).status === 200,
      );
      await until('what waited is written', async () => (await written()).includes('sign out'));
      expect((await written()).filter(action => action === 'sign in')).toHaveLength(signIns + 2);
      await box.stop();
      await box.start();
      // The session that was held is in the store now.
      const { cookie } = signedIn!;
      const again = request(`https://${box.addresses.https}/admin/v1/today`, {
        headers: { cookie },
        rejectUnauthorized: false,
      });
      again.end();
      expect(((await once(again, 'response'))[0] as IncomingMessage).statusCode).toBe(200);
    });
  },
);
