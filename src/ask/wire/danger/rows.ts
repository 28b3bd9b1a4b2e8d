import type { Span } from './source.ts'

/**
 * A row of the table of what needs a second look: the command (see `CommandPattern`), why, as a
 * sentence for people, and the options with which it does nothing.
 */
export type CommandRow = readonly [command: string, why: string, harmlessWith?: string]

/** Why something needs a second look, and where the text first shows it. */
export type Found = { why: string; parts: Span[] }

/** As found, with every part of the text that shows it. */
export type Danger = Found & { all: Span[] }
