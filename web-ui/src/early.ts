/**
 * Session, asked for by the shell while the code of the pages is still on its way: one round trip
 * less until a page shows something.
 */
declare global {
  var earlySession: Promise<Response> | undefined;
}

const path = '/session';

export function askSessionEarly(): void {
  const asked = fetch(`/admin/v1${path}`);
  // The reader of the promise handles the failure.
  asked.catch(() => {});
  globalThis.earlySession = asked;
}

/** The early response to this call, once. */
export function takeEarly(method: string, called: string): Promise<Response> | undefined {
  if (method !== 'GET' || called !== path) return undefined;
  const asked = globalThis.earlySession;
  globalThis.earlySession = undefined;
  return asked;
}
