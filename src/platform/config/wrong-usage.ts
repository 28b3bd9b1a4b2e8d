/**
 * What the person who started the program wrote is wrong. The message is one sentence that names
 * it; the process ends with exit code 2.
 */
export class WrongUsage extends Error {
  constructor(sentence: string) {
    super(sentence)
    this.name = 'WrongUsage'
  }
}
