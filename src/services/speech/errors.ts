/** As many texts wait as may; nothing was begun. Worth another try in a second. */
export class SpeechBusy extends Error {
  constructor(waiting: number) {
    super(`busy: ${waiting} texts wait to be spoken`);
    this.name = 'SpeechBusy';
  }
}

/** The program that speaks is not on this machine; the message names the remedy. */
export class SpeechUnavailable extends Error {
  constructor(program: string, remedy: string) {
    super(`${program} cannot be started: ${remedy}`);
    this.name = 'SpeechUnavailable';
  }
}

/**
 * The program that speaks took too long, ended with an error, or made no sound; the message never
 * holds the text.
 */
export class SpeechFailed extends Error {
  constructor(reason: string) {
    super(reason);
    this.name = 'SpeechFailed';
  }
}
