import { z } from '@hono/zod-openapi';
import type { Naming } from '../platform/naming.ts';
import type { Site } from '../platform/site.ts';
import type { Directory, DirectoryStore } from '../store/index.ts';
import { operation, type Report, resource } from './operation.ts';

const naming = z.object({
  vendor: z.string(),
  qr_base_url: z.string(),
  app_type: z.string(),
  app_id: z.string(),
  locale: z.string().describe('The language of the site, such as zh-CN'),
  timezone: z.string().describe('The time zone of the site, such as Asia/Shanghai'),
  products: z.array(z.object({ product_id: z.string(), model: z.string(), name: z.string() })),
});
/**
 * How names and codes of devices are made here (SPEC 2.3, 2.4), for which products, and in which
 * language and time zone people read.
 */
export type NamingReport = Report<typeof naming>;

const namingOperations = {
  report: operation({
    method: 'get',
    path: '/naming',
    role: 'viewer',
    summary: 'How names and codes of devices are made here, and the products',
    returns: 'The vendor prefix, what QR codes begin with, the products',
    answer: naming,
  }),
};

const namingReport = (naming: Naming, timezone: string, directory: Directory): NamingReport => ({
  vendor: naming.vendor,
  qr_base_url: naming.qrBaseUrl,
  app_type: naming.appType,
  app_id: naming.appId,
  locale: naming.locale,
  timezone,
  products: [...directory.products()].map(({ productId, model, name }) => ({ product_id: productId, model, name })),
});

const running = ({
  store,
  naming,
  site,
}: {
  readonly store: DirectoryStore;
  naming(): Naming;
  readonly site: Pick<Site, 'timezone'>;
}) => ({ report: async () => namingReport(naming(), site.timezone, store.directory) });

export const namingResource = resource(namingOperations, running, running);
