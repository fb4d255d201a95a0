import { doorPorts, processPorts, type Region, type RegionMachine } from './region.ts';

/** A name of its own: a reload takes over the package's socket with its mode. */
export const proxySocket = '/run/haproxy/region.sock';

/** HAProxy's way to the primary: the part of its file that a process reaches the database by. */
export const primarySection = ({ machines }: Region, { ports, folders }: RegionMachine): string => `listen database
  bind 127.0.0.1:${ports.primary}
  # A connection may be silent for as long as nothing happens: the longest that HAProxy knows.
  timeout client 24d
  timeout server 24d
  option clitcpka
  option srvtcpka
  # Patroni answers 200 where the primary is, and 503 elsewhere.
  option httpchk OPTIONS /primary
  http-check expect status 200
  default-server check inter 500ms fall 2 rise 1 on-marked-down shutdown-sessions check-ssl verify required ca-file ${folders.config}/ca.pem crt ${folders.config}/haproxy.pem
${machines.map(one => `  server ${one.name} ${one.address}:${one.ports.database} port ${one.ports.patroni}`).join('\n')}
`;

export const proxyDefaults = `defaults
  mode tcp
  timeout connect 2s
  timeout client 120s
  timeout server 120s
  retries 3
  option redispatch 1
`;

/** The file of HAProxy (`/etc/haproxy/haproxy.cfg`): to the primary, and to the processes. */
export function proxyFile(region: Region, machine: RegionMachine): string {
  const { config } = machine.folders;
  const servers = (port: number, more = '') =>
    region.machines
      .map(({ name, address }) => `  server ${name} ${address}:${port} check send-proxy-v2${more}\n`)
      .join('');
  const asksHealth = `  option httpchk
  http-check send meth GET uri /healthz ver HTTP/1.1 hdr Host gatehouse
  default-server port ${processPorts.metrics} inter 1s fall 2 on-marked-down shutdown-sessions
`;
  return `global
  log /dev/log local0
  chroot /var/lib/haproxy
  user haproxy
  group haproxy
  # How it sees the servers, for root alone; nothing of it is on the network.
  stats socket ${proxySocket} user root group root mode 600 level operator
  ssl-default-bind-options ssl-min-ver TLSv1.2
${proxyDefaults}
${primarySection(region, machine)}
# Devices over HTTP, boxes and programs: any process takes the next call.
listen devices-http
  bind :${doorPorts.https}
  # With \`source\` devices that open a connection for each record wait less.
  balance roundrobin
${asksHealth}${servers(processPorts.https)}
# People: a page stays with one process.
listen people
  bind :${doorPorts.people}
  balance source
  hash-type consistent
${asksHealth}${servers(processPorts.https)}
# Devices over MQTT: the client id chooses the process, so that a device comes back to the one that has it.
frontend mqtt
  bind :${doorPorts.mqtts} ssl crt ${config}/service-haproxy.pem
  tcp-request inspect-delay 10s
  tcp-request content reject unless { req.payload(0,0),mqtt_is_valid }
  tcp-request content set-var(sess.cid) req.payload(0,0),mqtt_field_value(connect,client_identifier)
  default_backend devices

backend devices
  balance hash var(sess.cid)
  hash-type consistent
${asksHealth}${servers(processPorts.mqtts, ` ssl verify required ca-file ${config}/ca.pem`)}`;
}
