import { commonWords } from './common-words.ts';

const charactersMin = 8;
const charactersMax = 200;
/**
 * Of zxcvbn's 0 to 4: more than 100 million guesses, which at the rate that Logins lets through
 * takes months from a whole network.
 */
const scoreMin = 3;
/** Characters after these make a password no weaker, and take long to judge. */
const judgedCharactersMax = 64;

type PasswordProblem = 'short' | 'long' | 'guessed' | 'name';

/**
 * Why a password is refused: a code for the page, which translates it. Null: it is accepted. The
 * one rule for pages, commands and site files (NIST SP 800-63B: a length, and no list of kinds of
 * characters). `site`: the name of the site, which guessers know.
 */
export async function passwordProblem(password: string, name: string, site: string): Promise<PasswordProblem | null> {
  const characters = [...password].length;
  if (characters < charactersMin) return 'short';
  if (characters > charactersMax) return 'long';
  if (name.length > 3 && password.toLowerCase().includes(name.toLowerCase())) return 'name';
  const score = await scoreOf([...password].slice(0, judgedCharactersMax).join(''), [name, site]);
  return score < scoreMin ? 'guessed' : null;
}

/**
 * Loads the lists of common passwords for one check and drops them afterwards: 300 ms, and 40 MB
 * meanwhile.
 */
async function scoreOf(password: string, known: readonly string[]): Promise<number> {
  const [{ ZxcvbnFactory }, { dictionary, adjacencyGraphs }] = await Promise.all([
    import('@zxcvbn-ts/core'),
    import('@zxcvbn-ts/language-common'),
  ]);
  const judge = new ZxcvbnFactory({
    dictionary: { ...dictionary, atChineseSites: [...commonWords] },
    graphs: adjacencyGraphs,
    maxLength: judgedCharactersMax,
  });
  const words = known
    .flatMap(one => [one, one.replace(/[\s\p{P}]+/gu, ''), ...one.split(/[\s\p{P}]+/u)])
    .filter(one => one.length > 1);
  return judge.check(password, [...words]).score;
}

export const passwordRule: Readonly<Record<PasswordProblem, string>> = {
  short: `a password has at least ${charactersMin} characters`,
  long: `a password has at most ${charactersMax} characters`,
  guessed:
    'this password is guessed too soon: make it longer, such as three or four words that nobody expects together',
  name: 'a password does not contain the name',
};
