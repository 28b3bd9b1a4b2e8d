import { Type } from '@sinclair/typebox'
import { shape } from '../../platform/schema.ts'
import type { Probe } from '../probing/probe.ts'
import { askJson } from './ask-json.ts'
import type { FactBases } from './bases.ts'
import { packageProbe } from './package-probe.ts'
import { line, pastDay } from './read-words.ts'

// A module path begins with a domain; no element of it begins or ends with a dot.
const NAME =
  /^(?=[^/]+\.)([A-Za-z0-9_~-]([A-Za-z0-9._~-]*[A-Za-z0-9_~-])?)(\/[A-Za-z0-9_~-]([A-Za-z0-9._~-]*[A-Za-z0-9_~-])?)*$/

const LATEST = shape(
  Type.Object({
    Version: Type.String({ pattern: '^v\\d', maxLength: 256 }),
    Time: Type.Optional(Type.String({ maxLength: 64 })),
  }),
)

export function goProbe({ goProxy }: FactBases): Probe {
  return packageProbe({
    registry: 'go',
    isName: (name) => NAME.test(name),
    async latest(outside, name, now) {
      const reply = await askJson(outside, `${goProxy}/${escaped(name)}/@latest`, LATEST)
      if (reply.outcome !== 'read') return undefined
      const { Version, Time } = reply.value
      const released = pastDay(Time, now)
      return { version: line(Version, 100), ...(released ? { released } : {}) }
    },
  })
}

/** `github.com/BurntSushi/toml` → `github.com/!burnt!sushi/toml`: proxies fold no case. */
function escaped(name: string): string {
  return name.replace(/[A-Z]/g, (letter) => `!${letter.toLowerCase()}`)
}
