import type {
  FoundDevice,
  InfoOutcome,
  ProvisionEvent,
  ScanRequest,
  Target,
  VerifyOutcome,
  WifiOutcome,
  WifiSettings,
} from '../provisioning/index.ts';

/** What can be asked of the set-up of site devices, and what each comes to. */
export interface ProvisionRuns {
  readonly scan: { readonly asks: ScanRequest; readonly answers: { readonly devices: readonly FoundDevice[] } };
  readonly info: { readonly asks: Target; readonly answers: InfoOutcome };
  readonly verify: { readonly asks: Target; readonly answers: VerifyOutcome };
  readonly wifi: { readonly asks: WifiSettings; readonly answers: WifiOutcome };
}
export type ProvisionRun = keyof ProvisionRuns;
export const provisionRuns = ['scan', 'info', 'verify', 'wifi'] as const satisfies readonly ProvisionRun[];

export interface ProvisionAdmin {
  /**
   * One run: its steps by `onEvent`, then what it came to. Rejects with a `SiteDeviceFailure`, or
   * an `AdminRefused` that says the same.
   */
  provision<Run extends ProvisionRun>(
    run: Run,
    asks: ProvisionRuns[Run]['asks'],
    onEvent: (event: ProvisionEvent) => void,
    signal?: AbortSignal,
  ): Promise<ProvisionRuns[Run]['answers']>;
  /** The last result that each device announced (SPEC 4.5), the last heard of first. */
  provisionResults(limit: number): Promise<ProvisionResultReport[]>;
}

export interface ProvisionResultReport {
  readonly device_id: string;
  readonly model: string;
  readonly at: number;
  readonly via: string;
  readonly status: number;
  readonly error: number | null;
  /** One sentence: what, why, and what to do. */
  readonly says: string;
  readonly mac: string;
  readonly address: string;
  readonly mask: string;
  readonly gateway: string;
}
