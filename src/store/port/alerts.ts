import type { Alert, AlertMessage } from '../../platform/alerts.ts';
import type { UnixMs } from '../../runtime/clock.ts';
import type { StorePart } from './part.ts';

export interface AlertWrites {
  /**
   * One step of the alerts in one commit: what it says of alerts and the messages about them, so
   * that no restart announces an alert twice or loses its message. Also deletes alerts that are
   * done and were opened before a moment.
   */
  saveAlerts(input: {
    alerts: readonly Alert[];
    messages: readonly AlertMessage[];
    removedMessages: readonly string[];
    forgetBefore: UnixMs;
  }): void;
  /** Stored sealed. */
  putAlertSetting(input: { key: string; value: string }): void;
}

export interface AlertReads {
  /** Open alerts, and those of which a message is to come. Oldest first. */
  currentAlerts(): Promise<Alert[]>;
  /** Those that are done; newest first. `before`: when one was opened. */
  pastAlerts(query: { limit: number; before?: UnixMs }): Promise<Alert[]>;
  /** Oldest first. */
  alertMessages(): Promise<AlertMessage[]>;
  alertSetting(key: string): Promise<string | null>;
}

export type AlertStore = StorePart<AlertReads, AlertWrites>;
