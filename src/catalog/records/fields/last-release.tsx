/** @jsxImportSource preact */
import { Type } from '@sinclair/typebox'
import { day } from '../words.ts'
import { defineField } from './field.ts'

/** The newest day of the written one and of the versions that registries list. */
export const LAST_RELEASE = defineField({
  written: { lastRelease: Type.Optional(day('Day of the newest release.')) },
  served: { lastRelease: Type.Optional(day('Day of the newest release.')) },
  serve({ lastRelease = '' }, { live }) {
    const days = live.versions.flatMap(({ released }) => released ?? [])
    const last = [...days, lastRelease].sort().at(-1)
    return last ? { lastRelease: last } : {}
  },
  page: {
    section: 'facts',
    place: 60,
    label: 'Last release',
    value: ({ lastRelease }, { Day }) => lastRelease && <Day day={lastRelease} />,
  },
  row: null,
  compare: {
    place: 140,
    label: 'Last release',
    value: ({ lastRelease }, { dayWords }) => lastRelease && dayWords(lastRelease),
  },
  markdown: { place: 120, label: 'Last release', text: ({ lastRelease }) => lastRelease },
  slim: null,
  mcp: null,
  imported: true,
  fromCatalogs: true,
})
