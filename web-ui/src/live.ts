import { signal } from '@preact/signals';
import type { LiveStatus } from '../../src/admin/ui/live.ts';
import { askWho, session } from './session.ts';

/** Events of the box, over the one event stream of this tab. */
export const status = signal<LiveStatus | null>(null);
/** The event stream is open. */
export const connected = signal(true);

type Hearer = (data: unknown) => void;
const hearers = new Map<string, Set<Hearer>>();
let source: EventSource | null = null;

/**
 * Opens the stream while a person is signed in and the tab is visible: a browser has six
 * connections for a box, and hidden tabs would hold them all. The browser reconnects by itself when
 * the stream breaks.
 */
export function keepListening(): void {
  const decide = () => {
    const wanted = session.peek()?.user != null && document.visibilityState === 'visible';
    if (wanted && !source) open();
    if (!wanted && source) {
      source.close();
      source = null;
    }
  };
  session.subscribe(current => {
    if (!current?.user) status.value = null;
    decide();
  });
  document.addEventListener('visibilitychange', decide);
}

function open(): void {
  source = new EventSource('/admin/v1/live');
  source.onopen = () => {
    // The box ends the stream with the session, and when the role changes: after a break the page
    // asks who is signed in.
    if (!connected.peek()) askAgain();
    connected.value = true;
  };
  source.onerror = () => {
    connected.value = false;
    if (source?.readyState === EventSource.CLOSED) askAgain();
  };
  source.addEventListener('status', event => {
    status.value = JSON.parse((event as MessageEvent).data);
  });
  for (const kind of hearers.keys()) attach(kind);
}

const askAgain = () => void askWho().catch(() => {});

function attach(kind: string): void {
  source?.addEventListener(kind, event => {
    const data = JSON.parse((event as MessageEvent).data);
    for (const hear of hearers.get(kind) ?? []) hear(data);
  });
}

/** Subscribes to events of a kind; returns the function that unsubscribes. */
export function listen(kind: string, hear: Hearer): () => void {
  let all = hearers.get(kind);
  if (!all) {
    all = new Set();
    hearers.set(kind, all);
    attach(kind);
  }
  all.add(hear);
  return () => void all.delete(hear);
}
