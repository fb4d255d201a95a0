export { type Certificates, openCertificates, type ServedCertificate } from './certificates.ts';
export { clockSynchronized } from './doctor/clock.ts';
export type { RadioState } from './doctor/machine.ts';
export { type DoctorOptions, examine } from './doctor/run.ts';
export { exposition, type Figure } from './metrics.ts';
export { realClock, realRandom } from './real-world.ts';
export { type TrustEdition, trustStore } from './trust-store.ts';
