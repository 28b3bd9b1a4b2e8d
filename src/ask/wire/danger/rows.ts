import type { Span } from './source.ts'

/**
 * A row of the table of what deserves a second look: the command (see `Pattern`), why, as a sentence
 * for people, and the options with which it does nothing.
 */
export type CommandRow = readonly [command: string, why: string, harmlessWith?: string]

/** Why something deserves a second look, and where that is said for the first time. */
export type Found = { why: string; parts: Span[] }

/** As it was found, with every part of the text that says so. */
export type Danger = Found & { all: Span[] }
