/** A secret in a text: from, to (the end not included), and what it is, for people. */
export type Found = { from: number; to: number; what: string }
