import { isOfContainer } from '../../runtime/container.ts';
import { unfitFileSystem } from '../../runtime/file-system.ts';
import { type Found, found } from '../../words/checks.ts';

/**
 * Why a data directory may not be where it is, and what to do; null: nothing is known against it. A
 * box for tests may lose its records with the memory that they are in.
 */
export function unfitPlace(
  folder: string,
  environment: 'test' | 'production',
  { fileSystem = unfitFileSystem, ofContainer = isOfContainer } = {},
): Found | null {
  const known = fileSystem(folder);
  if (known?.why === 'network') return found('disk_on_network', { folder, name: known.name });
  if (environment === 'test') return null;
  if (ofContainer(folder)) return found('disk_of_container', { folder });
  if (known?.why === 'fuse') return found('disk_on_fuse', { folder });
  return known && found('disk_in_memory', { folder, name: known.name });
}
