import { type Static, Type } from '@sinclair/typebox'
import { closed, openWord, textField } from './words.ts'

export const KINDS = ['framework', 'model', 'http-api', 'mcp', 'protocol', 'platform'] as const
export const TRANSPORTS = ['http', 'streamable-http', 'stdio'] as const
export const REGISTRIES = ['npm', 'pypi', 'go'] as const
export const AUTHS = ['api-key', 'oauth', 'mixed', 'none'] as const
export const PRICINGS = ['free', 'usage', 'freemium'] as const
export const PLACES = ['library', 'hosted', 'both', 'spec'] as const

export const Package = closed({
  registry: openWord('Registry.', REGISTRIES),
  name: textField('Name there.', 300),
})
export type Package = Static<typeof Package>

export const Detail = closed({ label: textField('Label.', 200), value: textField('Value.', 2000) })
export type Detail = Static<typeof Detail>

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
