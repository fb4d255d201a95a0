import { z } from 'zod';
import { documented, fileText, oneOf, pattern } from './kinds.ts';

/** The section `tls`: the certificates of the listeners, and what they speak. */
export const tls = z.strictObject({
  cert: documented(
    fileText('the path of a PEM file').optional(),
    "Certificate chain, the box's own certificate first",
    {
      file: 'content',
      kind: 'file',
    },
  ),
  key: documented(fileText('the path of a PEM file').optional(), 'Its private key', {
    file: 'content',
    kind: 'file',
    secret: true,
  }),
  legacy_host: documented(
    pattern(/^[a-z0-9-]+(\.[a-z0-9-]+)*$/i, 'a host name, such as legacy.example.com', 253).optional(),
    'Host name of the legacy device gateway (SPEC 5.3): a client that asks for it by SNI gets legacy_cert, every other one cert',
  ),
  legacy_cert: documented(fileText('the path of a PEM file').optional(), 'Certificate chain of legacy_host', {
    file: 'content',
    kind: 'file',
  }),
  legacy_key: documented(fileText('the path of a PEM file').optional(), 'Its private key', {
    file: 'content',
    kind: 'file',
    secret: true,
  }),
  legacy_suites: documented(
    oneOf(['on', 'off']).default('off'),
    'on: also allow TLS 1.2 suites without forward secrecy or authenticated encryption, for terminals that have no others; the log, status and doctor warn of it',
  ),
});
