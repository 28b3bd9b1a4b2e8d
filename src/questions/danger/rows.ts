/**
 * A row of the table of what deserves a second look: the command (see `Pattern`), why, as a sentence
 * for people, and the options with which it does nothing.
 */
export type CommandRow = readonly [command: string, why: string, harmlessWith?: string]

/** Why something deserves a second look, and the parts of the text that say so. */
export type Danger = { why: string; parts: (readonly [from: number, to: number])[] }
