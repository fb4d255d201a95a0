import { z } from '@hono/zod-openapi';
import type { Naming } from '../platform/naming.ts';
import type { Site } from '../platform/site.ts';
import type { Directory, DirectoryStore } from '../store/index.ts';
import { described } from '../words/described.ts';
import { operation, type Report, resource } from './operation.ts';

const naming = z.object({
  vendor: z.string(),
  qr_base_url: z.string(),
  app_type: z.string(),
  app_id: z.string(),
  locale: z.string().describe(described('The language of the site, such as zh-CN', '站点的语言，例如 zh-CN')),
  timezone: z
    .string()
    .describe(described('The time zone of the site, such as Asia/Shanghai', '站点的时区，例如 Asia/Shanghai')),
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
    summary: described(
      'How names and codes of devices are made here, and the products',
      '网关如何生成设备名称和二维码，以及各产品',
    ),
    returns: described('The vendor prefix, what QR codes begin with, the products', '厂商前缀、二维码的开头、各产品'),
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
