import type { HttpBindings } from '@hono/node-server';
import type { OpenAPIHono } from '@hono/zod-openapi';
import type { Site } from '../platform/site.ts';
import type { Clock } from '../runtime/clock.ts';
import type { Log } from '../runtime/log.ts';
import type {
  AccountStore,
  AuditReads,
  AuditWrites,
  DirectoryStore,
  GrantStore,
  OwnPageStore,
  SharedStore,
  Store,
  StorePart,
  TokenStore,
} from '../store/index.ts';
import { withWhy } from '../words/sentences.ts';
import { OwnPageAccess } from './employees/own-page-access.ts';
import { ownPageSignIn } from './employees/sign-in.ts';
import { KnownBrowsers } from './known-browsers.ts';
import { type LoginOutcome, Logins } from './logins.ts';
import { type CloudOAuth, CloudSignIn } from './oauth/cloud-sign-in.ts';
import { oauthRoutes } from './oauth/routes.ts';
import { codeLifeMs, refreshIdleMs } from './oauth/token.ts';
import type { HashStrength } from './passwords.ts';
import { Sessions } from './sessions.ts';
import { StaffAccess } from './staff/access.ts';
import { makeSetupCode, SetupCode } from './staff/setup-code.ts';
import { signInRoutes } from './staff/sign-in.ts';

/** How long entries of the audit log are kept. */
const dayMs = 24 * 3600_000;
const auditMs = 365 * dayMs;
/** The last account is never removed (store/domains/accounts.ts). */
const hasUsersMs = 60_000;

export interface Accounts {
  /** OAuth (SPEC 4.6), to be mounted on the listeners. */
  readonly oauth: OpenAPIHono<{ Bindings: HttpBindings }>;
  /** Signing in and out of the admin API, to be mounted beside it. */
  readonly staff: OpenAPIHono<{ Bindings: HttpBindings }>;
  /** Signing in and out of "My attendance", to be mounted beside its API. */
  readonly employees: OpenAPIHono<{ Bindings: HttpBindings }>;
  readonly ownPages: OwnPageAccess;
  /** Identifies the callers of the admin API, and logs what they do. */
  readonly access: StaffAccess;
  /**
   * Whether a password is that of the person who is signed in; wrong ones are slowed down as at
   * sign-in.
   */
  checkPassword(asked: { name: string; password: string; address: string }): Promise<LoginOutcome>;
  /** Shown at the box; null: there is an account already. */
  setupCode(): Promise<string | null>;
  /** Forgets what has run out. */
  retire(): Promise<void>;
}

export function openAccounts(options: {
  readonly store: AccountStore &
    GrantStore &
    TokenStore &
    OwnPageStore &
    StorePart<AuditReads, AuditWrites> &
    DirectoryStore &
    SharedStore &
    Pick<Store, 'audit'>;
  readonly clock: Clock;
  readonly hashStrength: HashStrength;
  /** Its language is that of the pages where the browser asks for none that they have. */
  readonly site: Site;
  /** The language that whoever makes the first account has chosen. */
  chooseLanguage(locale: string): Promise<void>;
  readonly log: Log;
  /** Notes that pages were opened; answers whether that browser refuses the certificate. */
  readonly cameFrom?: (address: string) => boolean;
  /** OAuth of the cloud; null if sign-in with an account of the cloud is off. */
  readonly cloud: CloudOAuth | null;
  /** The port of the listener with TLS, where people sign in; null: it is off. */
  readonly tlsPort: () => number | null;
  /** The one of the label; absent: another at each start. */
  readonly setupCode?: string;
}): Accounts {
  const { store, clock, hashStrength, log, site } = options;
  const counts = store.shared.guesses;
  const logins = new Logins({ read: store.read, clock, hashStrength, counts });
  const cloud = options.cloud && new CloudSignIn({ store, clock, log, cloud: options.cloud });
  const sessions = new Sessions({ store, clock });
  const browsers = new KnownBrowsers({ read: store.read });
  const access = new StaffAccess({ store, clock, sessions });
  const ownPages = new OwnPageAccess({ store, clock, site });
  let made: SetupCode | null = null;
  let verifyAuditAt = 0;
  /** Until when the store need not be asked: each stranger at the sign-in page comes here. */
  let hasUsersUntil = Number.NEGATIVE_INFINITY;
  const setupCode = async () => {
    if (clock.monotonic() < hasUsersUntil) return null;
    if (await store.read.hasUsers()) {
      hasUsersUntil = clock.monotonic() + hasUsersMs;
      made = null;
      return null;
    }
    made ??= new SetupCode(clock, options.setupCode ?? makeSetupCode(), counts);
    return made;
  };
  return {
    staff: signInRoutes({
      store,
      clock,
      hashStrength,
      logins,
      browsers,
      sessions,
      access,
      setupCode,
      cameFrom: options.cameFrom ?? (() => false),
      site,
      chooseLanguage: locale => options.chooseLanguage(locale),
    }),
    employees: ownPageSignIn(ownPages, access),
    ownPages,
    access,
    // A person who is signed in is counted apart from strangers who try the name.
    checkPassword: asked => logins.login({ ...asked, known: `signed in ${asked.name}` }),
    setupCode: async () => (await setupCode())?.text ?? null,
    oauth: oauthRoutes({ store, clock, site, logins, browsers, sessions, cloud, tlsPort: options.tlsPort }),
    async retire() {
      const at = clock.now();
      // A used code is remembered a day longer than it lives: its second use revokes the tokens
      // that were issued for it.
      const codesBefore = at - codeLifeMs - 24 * 3600_000;
      await store.write.retireAudit({ before: at - auditMs, now: at });
      if (clock.monotonic() >= verifyAuditAt) {
        verifyAuditAt = clock.monotonic() + dayMs;
        const { broken, chains } = await store.read.verifyAudit();
        const heads = chains.map(({ head }) => `head ${head.chain} ${head.id} ${head.hash}`).join(', ');
        if (broken) log.error({ heads }, 'audit_log_broken', { ...withWhy(broken), entry: broken.id });
        else log.info({}, 'audit_log_intact', { heads });
      }
      await Promise.all([
        store.write.retireSessions({ at }),
        ownPages.retire(),
        store.write.retireGrants({ at, codesBefore, grantsUsedBefore: at - refreshIdleMs }),
      ]);
    },
  };
}
