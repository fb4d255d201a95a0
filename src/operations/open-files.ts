import { readFileSync } from 'node:fs';

/**
 * For the store, files that are read and written, the Unix socket, D-Bus, the cloud's services, and
 * what is opened for a moment.
 */
const ownFiles = 256;
/** More connections than any site has. */
const connectionsMax = 20_000;
/** Handshakes and unfinished logins: about 70 KiB each. */
const loggingInMax = 1024;
/** With those that wait until they may log in: a few KiB each, and all devices of a large site. */
const unauthenticatedMax = 8192;
/**
 * People, and programs that sign each call, on the listeners for HTTP: devices may not use these
 * up.
 */
const peopleMax = 512;
/** Programs of the site that log in, or wait until they may. */
const programsMax = 1024;

interface ConnectionBounds {
  /** Devices that have logged in, of the listeners for MQTT and of those for HTTP, each. */
  readonly devices: number;
  /** Connections that log in, of the listeners for MQTT and of those for HTTP, each. */
  readonly loggingIn: number;
  /**
   * The same with those that wait for it. These use the files of devices that are not connected: in
   * all there are never more than `devices + loggingIn`.
   */
  readonly unauthenticated: number;
  /** `maxConnections` of a listener. */
  readonly ofMqtt: number;
  readonly ofHttp: number;
  /** Connections of programs of the site without a login; 0: there is no broker for programs. */
  readonly programs: number;
}

/**
 * How many connections may be open at once, so that the process never reaches its limit of open
 * files: at the limit it could neither accept staff nor open its own files. `perDeviceLine`: each
 * connected device holds a second connection, to the cloud. `overHttp`: devices can connect over
 * HTTP too; else those over MQTT have their files. `withPrograms`: the broker for programs is open.
 */
export function connectionBounds(
  openFiles: number,
  perDeviceLine: boolean,
  overHttp = true,
  withPrograms = false,
): ConnectionBounds {
  const forConnections = Math.max(0, openFiles - ownFiles);
  const people = Math.min(peopleMax, Math.floor(forConnections / 4));
  const loggingIn = Math.min(loggingInMax, Math.floor(forConnections / 8));
  const programs = withPrograms ? Math.min(programsMax, Math.floor(forConnections / 16)) : 0;
  const left = forConnections - people - 2 * loggingIn - programs;
  const filesOfOne = (overHttp ? 2 : 1) * (perDeviceLine ? 2 : 1);
  const devices = Math.max(1, Math.min(connectionsMax, Math.floor(left / filesOfOne)));
  const ofMqtt = devices + loggingIn;
  const ofHttp = (overHttp ? devices : 0) + loggingIn + people;
  const unauthenticated = Math.min(unauthenticatedMax, ofMqtt);
  return { devices, loggingIn, unauthenticated, ofMqtt, ofHttp, programs };
}

/**
 * The soft limit of open files of this process, which Node raises to the hard one at its start;
 * infinite where the system does not say.
 */
export function openFilesMax(): number {
  try {
    const line = /^Max open files\s+(\S+)/m.exec(readFileSync('/proc/self/limits', 'utf8'))?.[1];
    const found = Number(line);
    return Number.isFinite(found) ? found : Number.POSITIVE_INFINITY;
  } catch {
    return Number.POSITIVE_INFINITY;
  }
}

/**
 * How many devices can connect, where the limit of open files lowers that number; null where it
 * does not.
 */
export function loweredTo(bounds: ConnectionBounds): number | null {
  return bounds.devices < connectionsMax ? bounds.devices : null;
}
