/** A secret in a text: from, to (the end not included), and what it is, for people. */
export type SecretSpan = { from: number; to: number; what: string }
