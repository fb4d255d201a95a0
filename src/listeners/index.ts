export { HandshakeQueue } from './accept.ts';
export {
  BoxError,
  type Intake,
  type Listener,
  listenFew,
  listenHttp,
  listenHttps,
  listenMqtt,
  listenMqtts,
  listenSocket,
  redirectTo,
} from './listen.ts';
export { type Served, serve, serveRouter } from './served.ts';
export { webUi } from './static-files.ts';
export { Strangers } from './strangers.ts';
export { legacySuitesWarning } from './tls.ts';
