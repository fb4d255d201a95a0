import type { UnixMs } from '../../runtime/clock.ts';
import type { StorePart } from './part.ts';

/** A file of the public file service (SPEC 2.8); its bytes are a file of the data directory. */
export interface StoredFile {
  readonly fileId: string;
  readonly appId: string;
  /** The client as the uploader named it. */
  readonly client: string;
  readonly name: string;
  readonly contentType: string;
  readonly bytes: number;
  readonly sha256: string;
  readonly isPublic: boolean;
  /** Whether its public link is one with TLS. */
  readonly overHttps: boolean;
  readonly storedAt: UnixMs;
  /** Time of deletion; null if the file is kept. */
  readonly dueAt: UnixMs | null;
  /** Id at the cloud; null if it is not there. */
  readonly cloudFileId: string | null;
  readonly waits: boolean;
  readonly refusal: string | null;
}

/** A message that was accepted (SPEC 2.12). */
export interface StoredMessage {
  readonly id: number;
  readonly msgId: string;
  readonly kind: 'app' | 'sms';
  readonly appId: string;
  readonly acceptedAt: UnixMs;
  readonly title: string;
  readonly content: MessageContent;
  readonly androidSend: number;
  readonly iosSend: number;
  readonly result: 0 | 1 | 2;
  /** `here`: there is no cloud to relay it to. */
  readonly relay: 'waits' | 'sent' | 'refused' | 'here';
  /** The timestamp with which it was first sent to the cloud. */
  readonly attemptedAt: UnixMs | null;
  readonly cloudMsgId: string | null;
  /** As counted by the cloud; `androidSend` and `iosSend` count what the box delivered. */
  readonly cloudAndroidSend: number;
  readonly cloudIosSend: number;
  readonly reason: string;
}

export interface MessageContent {
  readonly body: string;
  /** Of an app message: `extra`. */
  readonly payload: object;
  readonly mobiles: readonly string[];
  /** As the caller sent it: passed on to the cloud. */
  readonly request: string;
}

export interface ServiceWrites {
  putFile(input: Omit<StoredFile, 'cloudFileId' | 'refusal'>): void;
  removeFiles(input: { fileIds: readonly string[] }): void;
  settleFile(input: { fileId: string; cloudFileId: string | null; refusal: string | null }): void;
  putSignedAnswer(input: {
    appId: string;
    timestamp: string;
    nonce: string;
    bodyHash: string;
    answer: string;
    at: UnixMs;
  }): void;
  remember(input: { service: string; key: string; value: string; at: UnixMs }): void;
  putMessage(
    input: Omit<StoredMessage, 'id' | 'attemptedAt' | 'cloudMsgId' | 'cloudAndroidSend' | 'cloudIosSend' | 'reason'>,
  ): void;
  /** Stores the text of a message whose template only the cloud has. */
  wordMessage(input: { msgId: string; title: string; content: MessageContent }): void;
  settleMessage(input: {
    msgId: string;
    relay: StoredMessage['relay'];
    attemptedAt?: UnixMs;
    cloudMsgId?: string;
    result?: 0 | 1 | 2;
    reason?: string;
    cloudAndroidSend?: number;
    cloudIosSend?: number;
  }): void;
  /** A push went to so many streams more, of whichever process. */
  countPush(input: { msgId: string; android: number; ios: number }): void;
  /**
   * Deletes answers to signed calls, messages and remembered values from before a moment. An answer
   * is kept as long as its timestamp makes the signature valid.
   */
  retireServices(input: {
    shortMessagesGivenUpBefore: UnixMs;
    answersBefore: UnixMs;
    messagesBefore: UnixMs;
    rememberedBefore: UnixMs;
  }): void;
}

export interface ServiceReads {
  app(appId: string): Promise<{ key: string; name: string } | null>;
  /** With their keys: to tell whose a signature is. */
  apps(limit: number): Promise<{ appId: string; key: string }[]>;
  signedAnswer(call: {
    appId: string;
    timestamp: string;
    nonce: string;
  }): Promise<{ bodyHash: string; answer: string } | null>;
  /** Whether `atLeast` answers of an app are to calls with a timestamp after a moment. */
  hasSignedAnswersAfter(query: { appId: string; after: UnixMs; atLeast: number }): Promise<boolean>;
  file(fileId: string): Promise<StoredFile | null>;
  filesDue(before: UnixMs, limit: number): Promise<string[]>;
  /** Files that do not wait for the cloud. */
  filesStoredBefore(before: UnixMs, limit: number): Promise<string[]>;
  nextWaitingFile(): Promise<StoredFile | null>;
  remembered(service: string, key: string): Promise<{ value: string; at: UnixMs } | null>;
  message(msgId: string): Promise<StoredMessage | null>;
  /** Whether this is the cloud's id of a message that is known here under another. */
  isMessageOfCloud(cloudMsgId: string): Promise<boolean>;
  /** Oldest first. The cloud is asked about `sent` ones until their result is known. */
  messagesToRelay(relay: 'waits' | 'sent', limit: number): Promise<StoredMessage[]>;
  /** An app's messages after one of them, oldest first; none after one that is not known. */
  appMessagesAfter(appId: string, msgId: string, limit: number): Promise<StoredMessage[]>;
  messageTemplate(template: string): Promise<{ title: string; body: string } | null>;
  appUpgrades(appCode: string): Promise<object[]>;
  /** How much waits for the cloud, for people. */
  servicesWaiting(): Promise<{ files: number; messages: number; refused: number }>;
}

export type ServiceStore = StorePart<ServiceReads, ServiceWrites>;
