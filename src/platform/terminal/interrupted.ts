/** A person pressed Ctrl-C: the command ends without another word. */
export class Interrupted extends Error {
  constructor() {
    super('interrupted')
    this.name = 'Interrupted'
  }
}
