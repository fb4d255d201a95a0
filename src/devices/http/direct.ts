import type { ServerResponse } from 'node:http';
import type { Direct } from '../../runtime/direct.ts';
import { StoreError } from '../../store/index.ts';
import { type Answer, send, unavailable } from './answer.ts';
import type { DeviceCalls } from './device-calls.ts';
import type { HttpSession, HttpSessions } from './sessions.ts';

/** The paths of push, log and pull, as devices write them. */
const paths = /^\/api\/(?:push\/([\w-]+)|v2\.0\/log\/([\w.-]+\/[\w-]+)|pull\/([\w-]+)(?:\?batchSize=(\d+))?)$/;

/**
 * Serves the calls of devices that hold a session without a router, which would take longer than
 * the rest of the call. Whatever is refused before the body is read is the router's.
 */
export function directly(sessions: HttpSessions, calls: DeviceCalls): Direct {
  return (request, response) => {
    const { method, url = '', socket, headers } = request;
    const [, pushed, logged, pulled, batchSize] = paths.exec(url) ?? [];
    const clientId = pushed ?? pulled;
    if (clientId === undefined && logged === undefined) return null;
    if (method !== (pulled === undefined ? 'POST' : 'GET')) return null;
    const found = sessions.find(headers.authorization, socket);
    if (!found) return null;
    if (logged !== undefined)
      return calls.takesLog(found, logged) ? body => answer(response, calls.log(found, logged, body)) : null;
    if (!isOf(found, clientId!)) return null;
    return pulled === undefined
      ? body => answer(response, calls.push(found, body))
      : () => answer(response, calls.pull(found, batchSize, socket, response));
  };
}

export const isOf = ({ session }: HttpSession, clientId: string): boolean =>
  session.device.deviceId === clientId.toUpperCase();

function answer(response: ServerResponse, made: Promise<Answer>): void {
  made.then(
    said => send(response, said),
    error => {
      if (error instanceof StoreError) send(response, unavailable(error));
      else response.writeHead(500, { 'Content-Length': 0 }).end();
    },
  );
}
