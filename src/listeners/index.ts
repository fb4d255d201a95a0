export { HandshakeQueue } from './accept.ts';
export { BoxError } from './box-error.ts';
export { BrowserAddresses } from './browser-addresses.ts';
export {
  type HttpSide,
  type Intake,
  type Listener,
  listenFew,
  listenHttp,
  listenHttps,
  listenMqtt,
  listenMqtts,
  listenSocket,
} from './listen.ts';
export { redirectTo } from './redirect.ts';
export { type Router, type Served, serveByPath, serveRouter } from './served.ts';
export { webUi } from './static-files.ts';
export type { TlsSide } from './tls.ts';
export { UnauthenticatedConnections } from './unauthenticated-connections.ts';
