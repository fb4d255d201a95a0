const charactersMin = 10;
const charactersMax = 200;
/** What guessers try first and is long enough to pass otherwise. */
const guessed = new Set([
  '1234567890',
  '12345678910',
  '0123456789',
  '9876543210',
  '1111111111',
  '0000000000',
  '8888888888',
  '6666666666',
  'qwertyuiop',
  'qwerty1234',
  'qwerty12345',
  '1q2w3e4r5t',
  '1qaz2wsx3edc',
  'password12',
  'password123',
  'password1234',
  'passw0rd123',
  'administrator',
  'admin12345',
  'admin123456',
  'abcdefghij',
  'abcd123456',
  'a123456789',
  'aa12345678',
  'woaini1314',
  'woaini520520',
  '5201314520',
  'gatehouse1',
  'gatehouse123',
]);

/** Why a password is not taken: a word for the page, which says it in the reader's language. Null: it is. */
export function passwordProblem(password: string, name: string): 'short' | 'long' | 'guessed' | 'name' | null {
  const characters = [...password].length;
  if (characters < charactersMin) return 'short';
  if (characters > charactersMax) return 'long';
  const lower = password.toLowerCase();
  if (guessed.has(lower) || new Set(lower).size < 4) return 'guessed';
  return name !== '' && lower.includes(name.toLowerCase()) && name.length > 3 ? 'name' : null;
}

export const passwordRule: Readonly<Record<NonNullable<ReturnType<typeof passwordProblem>>, string>> = {
  short: `a password has at least ${charactersMin} characters`,
  long: `a password has at most ${charactersMax} characters`,
  guessed: 'this password is among the first that are tried: choose another',
  name: 'a password does not contain the name',
};
