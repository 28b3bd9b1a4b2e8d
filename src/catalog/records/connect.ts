import { type Static, Type } from '@sinclair/typebox'
import { closed, textField } from './words.ts'

/** Samples to copy; read them before running them. */
export const Connect = closed(
  {
    install: Type.Optional(textField('Command that installs the package.')),
    http: Type.Optional(textField('A first request.')),
    claudeCode: Type.Optional(textField('Command that adds the server to Claude Code.')),
    config: Type.Optional(textField('Entry for the configuration of an MCP client.')),
    x402: Type.Optional(textField('A first paid request.')),
  },
  'Samples to copy.',
)
export type Connect = Static<typeof Connect>
