import manifest from '../../package.json' with { type: 'json' };

/** The version of this program, as `gatehouse version` and the status show it. */
export const programVersion: string = manifest.version;
