import { Type } from '@sinclair/typebox'
import { shape } from '../../../kernel/schema.ts'
import { factValue } from '../../measured/fact-words.ts'
import type { Outside, Probe } from '../probe.ts'
import { ask, mediaType, textOf } from './ask.ts'
import { askJson } from './ask-json.ts'
import type { FactBases } from './bases.ts'
import { leadingMember } from './leading-member.ts'
import { packageProbe } from './package-probe.ts'
import { line, pastDay } from './read-words.ts'

const NAME = /^[a-z0-9]([a-z0-9._-]*[a-z0-9])?$/i

const INFO = shape(Type.Object({ version: Type.String({ minLength: 1, maxLength: 256 }) }))
const RELEASE = shape(
  Type.Object({
    urls: Type.Array(Type.Object({ upload_time_iso_8601: Type.String({ maxLength: 64 }) })),
  }),
)
const RECENT = shape(
  Type.Object({ data: Type.Object({ last_week: Type.Integer({ minimum: 0 }) }) }),
)

// What is said of the project stands first; every file of every release, megabytes of them, after.
const INFO_BYTES_MAX = 512 * 1024
const RELEASE_BYTES_MAX = 1024 * 1024

export function pypiProbe({ pypi, pypiStats }: FactBases): Probe {
  return packageProbe({
    registry: 'pypi',
    isName: (name) => NAME.test(name),
    async latest(outside, name, before, now) {
      const version = await newestVersion(outside, `${pypi}/pypi/${normal(name)}/json`)
      if (version === undefined) return undefined
      const known = factValue('version', before)
      if (known?.version === version && known.released !== undefined) return known
      const url = `${pypi}/pypi/${normal(name)}/${encodeURIComponent(version)}/json`
      const released = await dayOfRelease(outside, url, now)
      return { version, ...(released ? { released } : {}) }
    },
    popularity: {
      field: 'pypiWeekly',
      async weekly(outside, name) {
        const url = `${pypiStats}/api/packages/${normal(name)}/recent`
        const reply = await askJson(outside, url, RECENT)
        if (reply.outcome === 'absent') return null
        return reply.outcome === 'read' ? reply.value.data.last_week : undefined
      },
    },
  })
}

/** As PEP 503 writes names. */
function normal(name: string): string {
  return name.toLowerCase().replace(/[-_.]+/g, '-')
}

async function newestVersion(outside: Outside, url: string): Promise<string | undefined> {
  const headers = { accept: 'application/json' }
  const reply = await ask(outside, url, { headers, maxBytes: INFO_BYTES_MAX })
  if (reply.outcome !== 'answered' || reply.status !== 200) return undefined
  if (mediaType(reply.headers) !== 'application/json') return undefined
  const info = leadingMember(textOf(reply), 'info')
  if (INFO.wrong(info).length > 0) return undefined
  return line((info as { version: string }).version, 100)
}

/** The day of its first file. */
async function dayOfRelease(outside: Outside, url: string, now: number) {
  const reply = await askJson(outside, url, RELEASE, { maxBytes: RELEASE_BYTES_MAX })
  if (reply.outcome !== 'read') return undefined
  return reply.value.urls
    .flatMap(({ upload_time_iso_8601 }) => pastDay(upload_time_iso_8601, now) ?? [])
    .sort()[0]
}
