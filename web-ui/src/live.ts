import { signal } from '@preact/signals';
import type { LiveStatus } from '../../src/admin/ui/live.ts';
import { askWho, session } from './session.ts';

/** Events of the box, over the one event stream of this tab. */
export const status = signal<LiveStatus | null>(null);
/**
 * False while the box does not answer: then `status` is what it said last, and no page may show it
 * as current.
 */
export const connected = signal(true);
/**
 * Changes each time that the box answers again after it was away or the tab was hidden: all that is
 * shown is asked again.
 */
export const returns = signal(0);

type Hearer = (data: unknown) => void;
const hearers = new Map<string, Set<Hearer>>();
let source: EventSource | null = null;
let heardAt = 0;
/** The tab was hidden, or the box away: the next event is a return. */
let wasAway = false;

/**
 * The box sends its status at least every 10 s. A connection whose other end is gone makes no
 * error.
 */
const silentMs = 25_000;
const lookMs = 5_000;

/**
 * Opens the stream while a person is signed in and the tab is visible: a browser has six
 * connections for a box, and hidden tabs would hold them all. The browser reconnects by itself when
 * the stream breaks; where it gives up, and where the other end is gone without a word, this opens
 * it again.
 */
export function keepListening(): void {
  const decide = () => {
    const wanted = session.peek()?.user != null && document.visibilityState === 'visible';
    if (wanted && !source) {
      if (isStale()) status.value = null;
      open();
    }
    if (!wanted && source) {
      close();
      wasAway = true;
    }
  };
  session.subscribe(current => {
    if (!current?.user) status.value = null;
    decide();
  });
  document.addEventListener('visibilitychange', decide);
  setInterval(() => {
    if (source && isStale()) {
      lost();
      close();
    }
    decide();
  }, lookMs);
}

const isStale = (): boolean => performance.now() - heardAt > silentMs;

function close(): void {
  source?.close();
  source = null;
}

function open(): void {
  source = new EventSource('/admin/v1/live');
  heardAt = performance.now();
  source.onopen = heard;
  source.onerror = () => {
    lost();
    if (source?.readyState !== EventSource.CLOSED) return;
    close();
    askAgain();
  };
  source.addEventListener('status', event => {
    heard();
    status.value = JSON.parse((event as MessageEvent).data);
  });
  for (const kind of hearers.keys()) attach(kind);
}

function lost(): void {
  connected.value = false;
  wasAway = true;
}

function heard(): void {
  heardAt = performance.now();
  if (!wasAway) return;
  wasAway = false;
  // The box ends the stream with the session, and when the role changes: after a break the page
  // asks who is signed in.
  if (!connected.peek()) askAgain();
  connected.value = true;
  returns.value++;
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
