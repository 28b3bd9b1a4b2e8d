import { Type } from '@sinclair/typebox'
import { shape } from '../../platform/schema.ts'
import type { Probe } from '../probing/probe.ts'
import { askJson } from './ask-json.ts'
import type { FactBases } from './bases.ts'
import { packageProbe } from './package-probe.ts'
import { line } from './read-words.ts'

const NAME = /^(@[a-z0-9~-][a-z0-9._~-]*\/)?[a-z0-9~-][a-z0-9._~-]*$/i
const NAME_CHARS_MAX = 214

// The manifest of one version: a packument with all of them can have 20 MB, and tells no more.
const LATEST = shape(Type.Object({ version: Type.String({ minLength: 1, maxLength: 256 }) }))
const DOWNLOADS = shape(Type.Object({ downloads: Type.Integer({ minimum: 0 }) }))
const LATEST_BYTES_MAX = 512 * 1024

export function npmProbe({ npmRegistry, npmDownloads }: FactBases): Probe {
  return packageProbe({
    registry: 'npm',
    isName: (name) => name.length <= NAME_CHARS_MAX && NAME.test(name),
    async latest(outside, name) {
      const url = `${npmRegistry}/${name.replace('/', '%2f')}/latest`
      const reply = await askJson(outside, url, LATEST, { maxBytes: LATEST_BYTES_MAX })
      return reply.outcome === 'read' ? { version: line(reply.value.version, 100) } : undefined
    },
    popularity: {
      field: 'npmWeekly',
      async weekly(outside, name) {
        const url = `${npmDownloads}/downloads/point/last-week/${name}`
        const reply = await askJson(outside, url, DOWNLOADS)
        if (reply.outcome === 'absent') return null
        return reply.outcome === 'read' ? reply.value.downloads : undefined
      },
    },
  })
}
