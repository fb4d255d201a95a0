/** A database of a region, asked from outside: by its doctor. */
interface AskedDatabase extends AsyncDisposable {
  /** Rows of one statement. Rejects when it is wrong, or the connection has broken. */
  ask(statement: string): Promise<readonly Readonly<Record<string, unknown>>[]>;
}

/** Connects at the first question, as a process does. */
export function askedDatabase(url: string): AskedDatabase {
  // Only a region loads what it takes to stand on PostgreSQL.
  const connecting = async () => (await import('./postgres/side-connection.ts')).connected(url);
  let connected: ReturnType<typeof connecting> | undefined;
  return {
    async ask(statement) {
      connected ??= connecting();
      return (await (await connected).query<Record<string, unknown>>(statement)).rows;
    },
    async [Symbol.asyncDispose]() {
      await connected?.then(
        client => client.end(),
        () => {},
      );
    },
  };
}

/** SQLSTATE class 28: invalid authorization. */
const isAuthorization = (error: unknown): boolean => (error as { code?: string }).code?.startsWith('28') === true;

/**
 * Whether a server refuses each of these logins. Rejects when one fails for another reason: nobody
 * knows then.
 */
export async function refusesLogins(urls: readonly string[]): Promise<boolean> {
  for (const url of urls)
    try {
      await using database = askedDatabase(url);
      await database.ask('SELECT 1');
      return false;
    } catch (error) {
      // A client without a password gives up by itself when it is asked for one.
      if (!isAuthorization(error) && !/password/.test((error as Error).message)) throw error;
    }
  return true;
}
