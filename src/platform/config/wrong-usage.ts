/**
 * An error in what the person wrote who started the program. The message is one sentence that names
 * it; the process ends with exit code 2.
 */
export class WrongUsage extends Error {
  constructor(sentence: string) {
    super(sentence)
    this.name = 'WrongUsage'
  }
}
