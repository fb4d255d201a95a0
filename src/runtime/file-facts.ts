const header = 'gatehouse-facts';

/** Headers that say something of the file that an answer is, as JSON in ASCII. */
export const factsHeaders = (facts: object): Record<string, string> => ({
  [header]: encodeURIComponent(JSON.stringify(facts)),
});

/** Facts in headers made by `factsHeaders`. */
export const factsIn = <Facts>(headers: Readonly<Record<string, unknown>>): Facts =>
  JSON.parse(decodeURIComponent(String(headers[header]))) as Facts;
