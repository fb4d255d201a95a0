import type { IncomingMessage, ServerResponse } from 'node:http';
import { attendanceCodes, attendanceLimits } from '../../../../src/platform/attendance.ts';
import type { ApiName } from '../api-faults.ts';
import { bodyOf, type CloudApi, jsonOf, sendJson } from '../http-server.ts';
import type { SimCallers } from './callers.ts';
import type { Call } from './organization-calls.ts';
import { Refused } from './refused.ts';

const attendancePath = '/v2.0/cloudappapi';

/** SPEC 4.8 over HTTP: every answer is 200 with a body code of SPEC 7.3. */
export class AttendanceApi implements CloudApi {
  readonly #callers: SimCallers;
  readonly #byPath: ReadonlyMap<string, Call>;
  readonly #byCommand: ReadonlyMap<string, Call>;

  constructor(callers: SimCallers, byPath: ReadonlyMap<string, Call>, byCommand: ReadonlyMap<string, Call>) {
    this.#callers = callers;
    this.#byPath = byPath;
    this.#byCommand = byCommand;
  }

  serves(path: string): boolean {
    return path.startsWith('/v2.0/');
  }

  nameOf(): ApiName {
    return 'attendance';
  }

  tooMany() {
    return { status: 200, body: { code: attendanceCodes.too_many_calls, msg: 'call count exceeded' } };
  }

  async serve(request: IncomingMessage, response: ServerResponse, url: URL): Promise<void> {
    const body = await bodyOf(request, attendanceLimits.bodyBytesMax);
    const isCommand = url.pathname === attendancePath;
    if (!isCommand && !this.#byPath.has(url.pathname))
      return sendJson(response, 404, { code: 404, msg: 'no such path' });
    if (request.method !== 'POST') return sendJson(response, 405, { code: 405, msg: 'send this as a POST' });
    sendJson(response, 200, this.#answer(request, url.pathname, body));
  }

  #answer({ headers, url = '' }: IncomingMessage, path: string, body: Buffer | null): object {
    try {
      // The caller signed the path as it wrote it, without the query.
      const appKey = this.#callers.check(headers, url.split('?')[0]!);
      const call = path === attendancePath ? this.#command(headers) : this.#byPath.get(path)!;
      this.#callers.count(appKey);
      const data = call(readBody(body));
      return { code: attendanceCodes.success, msg: 'ok', ...(data === undefined ? {} : { data }) };
    } catch (error) {
      if (!(error instanceof Refused)) throw error;
      return { code: error.code, msg: error.message };
    }
  }

  #command(headers: IncomingMessage['headers']): Call {
    if (String(headers['api-module'] ?? '').toUpperCase() !== 'CHECKIN')
      throw new Refused('wrong_module', 'Api-Module must be CHECKIN');
    const found = this.#byCommand.get(String(headers['api-cmd'] ?? '').toLowerCase());
    if (!found) throw new Refused('wrong_module', 'Api-Cmd is none of the five');
    return found;
  }
}

function readBody(body: Buffer | null): Record<string, unknown> {
  if (!body) throw new Refused('bad_body', 'too large');
  if (body.toString('utf8').trim() === '') return {};
  const value = jsonOf(body);
  if (!value) throw new Refused('bad_body', 'not a JSON object');
  return value;
}
