/** A person pressed Ctrl-C at a prompt: the command ends without another word. */
export class Interrupted extends Error {
  constructor() {
    super('interrupted')
    this.name = 'Interrupted'
  }
}
