import { request } from 'node:https';
import type { BoxUnderTest } from './box-under-test.ts';

/** The admin API of a real box, as an admin's token asks it. */
export async function adminOf(box: BoxUnderTest) {
  const token = (await box.ask('token', 'create', '--role', 'admin')).trim();
  return (method: string, path: string, body?: unknown) =>
    new Promise<{ status: number; text: string; json: never }>((resolve, reject) => {
      const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' };
      request(
        `https://${box.addresses.https}/admin/v1${path}`,
        { method, headers, rejectUnauthorized: false, agent: false },
        answer => {
          answer
            .setEncoding('utf8')
            .toArray()
            .then(pieces => {
              const text = pieces.join('');
              const isJson = /[/+]json\b/.test(answer.headers['content-type'] ?? '');
              const json = isJson ? JSON.parse(text) : null;
              resolve({ status: answer.statusCode ?? 0, text, json: json as never });
            })
            .catch(reject);
        },
      )
        .on('error', reject)
        .end(body === undefined ? undefined : JSON.stringify(body));
    });
}
