/** An error that ends the command with `exitCode`, whatever its `cause` would end it with. */
export class EndsWith extends Error {
  readonly exitCode: number

  constructor(exitCode: number, cause: unknown) {
    super('the command failed', { cause })
    this.name = 'EndsWith'
    this.exitCode = exitCode
  }
}
