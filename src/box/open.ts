import { applySite, type BoxAdmin } from '../admin/index.ts';
import type { Config } from '../config/index.ts';
import { serveRouter } from '../listeners/index.ts';
import { tellMachine } from '../provisioning/index.ts';
import { openApis } from './apis.ts';
import type { Box, World } from './box.ts';
import { CertificateFiles } from './certificate-files.ts';
import { openGateways } from './gateways.ts';
import { openListeners } from './listeners.ts';
import { openStorage, type Storage } from './storage.ts';

/**
 * The composition root: opens the parts from the config, phase by phase. If a phase fails,
 * everything that was opened is closed. `prepare` runs before the box listens: it applies a site
 * file, so that no device is refused because its product is not there yet.
 */
export async function openBox(
  config: Config,
  world: World,
  prepare: (admin: Pick<BoxAdmin, 'apply'>) => Promise<void> = async () => {},
): Promise<Box> {
  await using parts = new AsyncDisposableStack();
  const storage = await openStorage(config, world, parts);
  const gateways = await openGateways(storage);
  const apis = await openApis(storage, gateways);
  await prepare(siteLoader(storage));
  const { addresses, served } = await openListeners(storage, gateways, apis);

  const { store, signs, certificates } = storage;
  const files = parts.use(new CertificateFiles({ ...storage, fileOf: world.fileOf ?? new Map() }));
  const { attendance, accounts, provisioning, admin, restart } = apis;
  void tellMachine(storage.config.box, { ...storage, runtimeDir: process.env.RUNTIME_DIRECTORY ?? null });
  // A simulated radio is ready at once, so whoever reads the ready line finds the hotspot open.
  if (config.provisioning.wifi === 'simulated') await provisioning.whenReady;
  const { routes } = provisioning;
  const { hotspot } = provisioning.report();
  parts.use(signs.follow({ store, ...gateways, provisioning }));
  const opened = parts.move();
  return {
    addresses: hotspot === null ? addresses : { ...addresses, hotspot },
    ...{ store, ...gateways, attendance, provisioning, accounts, admin, signs, site: storage.config.site },
    caPem: certificates.caPem,
    lookAtCertificates: () => files.look(),
    served: { ...served, ...(routes && { hotspot: serveRouter(() => routes, { answersHead: true }) }) },
    onRestartAsked: act => restart.bind(act),
    [Symbol.asyncDispose]: () => opened.disposeAsync(),
  };
}

const siteLoader = ({ store, config, clock, hashStrength }: Storage): Pick<BoxAdmin, 'apply'> => ({
  apply: input =>
    applySite({ read: store.readHere, write: store.write }, input, {
      production: config.environment === 'production',
      clock,
      hashStrength,
      siteName: config.site.name,
    }),
});
