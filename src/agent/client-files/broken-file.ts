/** A file of a client that cannot be changed safely, so it is left alone. */
export class BrokenFile extends Error {
  constructor(sentence: string) {
    super(sentence)
    this.name = 'BrokenFile'
  }
}

/** The line of `offset`, counted from 1. */
export function lineAt(text: string, offset: number): number {
  return text.slice(0, offset).split('\n').length
}
