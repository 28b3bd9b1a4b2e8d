import { type Static, type TObject, type TProperties, Type } from '@sinclair/typebox'
import { link } from '../words.ts'
import { defineField, type RecordField } from './field.ts'

export const HOMEPAGE = defineField({
  written: { homepage: Type.Optional(link('Page of the tool at the vendor.')) },
  // Served as the first of `details`.
  served: {},
  serve: () => ({}),
  page: null,
  row: null,
  compare: null,
  markdown: null,
  slim: null,
  mcp: null,
  imported: true,
  fromCatalogs: false,
})

export const REPO = defineLink({ repo: Type.Optional(link('Source code.')) }, ({ repo }) => repo, {
  page: ['Source code', 20],
  markdown: ['Source code', 140],
  slim: null,
  mcp: ['repo', 180],
})

export const DOCS = defineLink(
  { docsUrl: Type.Optional(link('Documentation.')) },
  ({ docsUrl }) => docsUrl,
  {
    page: ['Documentation', 10],
    markdown: ['Documentation', 130],
    slim: ['Docs', 110],
    mcp: ['docs', 110],
  },
)

export const LLMS_TXT_LINK = defineLink(
  { llmsTxt: Type.Optional(link('llms.txt of the tool.')) },
  ({ llmsTxt }) => llmsTxt,
  { page: ['llms.txt', 40], markdown: ['llms.txt', 150], slim: null, mcp: ['llmsTxt', 170] },
)

export const OPENAPI = defineLink(
  { openapi: Type.Optional(link('OpenAPI description of the tool.')) },
  ({ openapi }) => openapi,
  { page: ['OpenAPI', 30], markdown: ['OpenAPI', 160], slim: null, mcp: ['openapi', 120] },
)

export const RATE_LIMITS = defineLink(
  { rateLimitsUrl: Type.Optional(link('Rate limits.')) },
  ({ rateLimitsUrl }) => rateLimitsUrl,
  { page: ['Rate limits', 50], markdown: ['Rate limits', 170], slim: null, mcp: null },
)

export const REMOTE = defineLink(
  { remoteUrl: Type.Optional(link('Address of the hosted server.')) },
  ({ remoteUrl }) => remoteUrl,
  {
    page: ['Hosted server', 60],
    markdown: ['Address', 60],
    slim: ['Endpoint', 80],
    mcp: ['endpoint', 80],
  },
)

export const CHANGELOG = defineField({
  written: { changelog: Type.Optional(link('Changelog.')) },
  // Served in `provenance`.
  served: {},
  serve: () => ({}),
  page: null,
  row: null,
  compare: null,
  markdown: null,
  slim: null,
  mcp: null,
  imported: true,
  fromCatalogs: false,
})

/** The label of a line, or the name of a value, and its place. */
type Line = readonly [label: string, place: number]

/** A link that is served as it is written. */
function defineLink<P extends TProperties>(
  members: P,
  urlOf: (served: Static<TObject<P>>) => string | undefined,
  lines: { page: Line; markdown: Line; slim: Line | null; mcp: Line | null },
): RecordField<P, P> {
  const { page, markdown, slim, mcp } = lines
  return defineField({
    written: members,
    served: members,
    serve: (written) => written,
    page: { section: 'elsewhere', label: page[0], place: page[1], url: urlOf },
    row: null,
    compare: null,
    markdown: {
      label: markdown[0],
      place: markdown[1],
      text: (served, kit) => {
        const url = urlOf(served)
        return url === undefined ? undefined : kit.address(url)
      },
    },
    slim: slim && {
      label: slim[0],
      place: slim[1],
      text: (served, kit) => kit.address(urlOf(served)),
    },
    mcp: mcp && [
      {
        name: mcp[0],
        place: mcp[1],
        quoted: false,
        value: (served, kit) => kit.address(urlOf(served)),
      },
    ],
    imported: true,
    fromCatalogs: true,
  })
}
