/**
 * The flags that `bin/gatehouse` and `bin/node` start Node with; nothing that is called from
 * outside can add to them.
 */
export const nodeFlags: readonly string[] = [
  '--disable-warning=ExperimentalWarning',
  // Otherwise the signal opens the inspector, a debugger for whoever reaches its port.
  '--disable-sigusr1',
  '--expose-gc',
  '--min-semi-space-size=4',
  '--max-semi-space-size=4',
  '--heap-growing-percent=50',
];

export const isOfYoungGeneration = (flag: string): boolean => flag.includes('semi-space-size');
