import type { DepartmentNode } from '../../store/index.ts';

/** For each department its external id and those of the departments above it. */
export function chainsOf(nodes: readonly DepartmentNode[]): Map<number, string[]> {
  const byId = new Map(nodes.map(node => [node.id, node]));
  const chains = new Map<number, string[]>();
  const chainOf = (node: DepartmentNode): string[] => {
    const known = chains.get(node.id);
    if (known) return known;
    // Set before its parent is asked for, so that a circle ends.
    chains.set(node.id, []);
    const parent = node.parentId === null ? undefined : byId.get(node.parentId);
    const chain = [...(node.extId === '' ? [] : [node.extId]), ...(parent ? chainOf(parent) : [])];
    chains.set(node.id, chain);
    return chain;
  };
  for (const node of nodes) chainOf(node);
  return chains;
}
