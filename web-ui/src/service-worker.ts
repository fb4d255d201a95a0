import { pagePaths } from '../../src/platform/page-paths.ts';

/**
 * The service worker: keeps the shell of the pages, so that an installed page opens while the box
 * is away and says so. It keeps files with a hash in their names and the page that loads them, and
 * nothing that the admin API returns. Each version of the program has a store of its own; a new one
 * deletes those before it.
 */

/** Filled in by the build: a hash over all files of the pages, and those that the frame needs. */
declare const shellVersion: string;
declare const shellFiles: readonly string[];

/** Declarations that TypeScript's library for pages lacks. */
interface WorkerEvent extends Event {
  readonly request: Request;
  waitUntil(work: Promise<unknown>): void;
  respondWith(response: Promise<Response>): void;
}
interface Worker {
  addEventListener(kind: 'install' | 'activate' | 'fetch', hear: (event: WorkerEvent) => void): void;
  skipWaiting(): Promise<void>;
  readonly clients: {
    claim(): Promise<void>;
    matchAll(): Promise<readonly { postMessage(message: unknown): void }[]>;
  };
}
const worker = globalThis as unknown as Worker;

const prefix = 'gatehouse-shell-';
const storeName = `${prefix}${shellVersion}`;
const shellPage = '/';
/** A box that takes longer is taken to be away: the shell is shown, which goes on by itself. */
const patienceMs = 5000;

worker.addEventListener('install', event => {
  event.waitUntil(keepShell());
});
worker.addEventListener('activate', event => {
  event.waitUntil(takeOver());
});
worker.addEventListener('fetch', event => {
  const { request } = event;
  const { origin, pathname } = new URL(request.url);
  if (request.method !== 'GET' || origin !== location.origin) return;
  if (pathname.startsWith('/ui/')) event.respondWith(keptFile(request));
  else if (request.mode === 'navigate' && isPage(pathname)) event.respondWith(pageOrShell(request));
});

async function keepShell(): Promise<void> {
  const store = await caches.open(storeName);
  await store.addAll([new Request(shellPage, { cache: 'reload' }), ...shellFiles.map(name => `/ui/${name}`)]);
  await worker.skipWaiting();
}

async function takeOver(): Promise<void> {
  for (const name of await caches.keys()) if (name.startsWith(prefix) && name !== storeName) await caches.delete(name);
  await worker.clients.claim();
  for (const page of await worker.clients.matchAll()) page.postMessage({ shellVersion });
}

/** A name with a hash is always the same file. */
async function keptFile(request: Request): Promise<Response> {
  const store = await caches.open(storeName);
  const found = await store.match(request);
  if (found) return found;
  const response = await fetch(request);
  if (response.ok) await store.put(request, response.clone());
  return response;
}

/** The page of the box, however old the shell is; the shell only where the box does not answer. */
async function pageOrShell(request: Request): Promise<Response> {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const patience = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new Error('the box does not answer')), patienceMs);
  });
  try {
    return await Promise.race([fetch(request), patience]);
  } catch {
    const store = await caches.open(storeName);
    return (await store.match(shellPage)) ?? Response.error();
  } finally {
    clearTimeout(timer);
  }
}

const isPage = (path: string): boolean =>
  Object.values(pagePaths).some(page => path === page || (page !== '/' && path.startsWith(`${page}/`)));
