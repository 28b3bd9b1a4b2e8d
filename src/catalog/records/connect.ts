import { type Static, Type } from '@sinclair/typebox'
import { closed, text } from './words.ts'

/** Samples to copy, never to run unread. */
export const Connect = closed(
  {
    install: Type.Optional(text('Command that installs the package.')),
    http: Type.Optional(text('A first request.')),
    claudeCode: Type.Optional(text('Command that adds the server to Claude Code.')),
    config: Type.Optional(text('Entry for the configuration of an MCP client.')),
    x402: Type.Optional(text('A first paid request.')),
  },
  'Samples to copy.',
)
export type Connect = Static<typeof Connect>
