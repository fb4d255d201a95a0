export { type Certificates, openCertificates, type ServedCertificate } from './certificates.ts';
export { exposition, type Figure } from './metrics.ts';
export { realClock, realRandom } from './real-world.ts';
export { type TrustEdition, trustStore } from './trust-store.ts';
