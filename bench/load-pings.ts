/** What a device waits for the answer to PINGREQ: `load-pings.ts '{"port":1883,…}'`. */
import { connectDevice, type PingingDevice, ping } from './pinging-device.ts';

export interface PingsLoad extends PingingDevice {
  readonly seconds: number;
  readonly warmUpSeconds: number;
}

const load = JSON.parse(process.argv[2]!) as PingsLoad;
const socket = await connectDevice(load);
await ping(socket, load.warmUpSeconds);
process.stdout.write('measuring\n');
process.stdout.write(`${JSON.stringify(await ping(socket, load.seconds))}\n`);
process.exit(0);
