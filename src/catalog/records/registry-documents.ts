import { type Static, Type } from '@sinclair/typebox'
import { GRADES } from './grading.ts'
import {
  closed,
  countField,
  day,
  instantField,
  link,
  openWord,
  orNull,
  slug,
  textField,
} from './words.ts'
import { X402_LEVELS } from './x402.ts'

/** The name of a server: a namespace, one slash and a name (registry API 2025-12-01). */
export const SERVER_NAME_PATTERN = '^[a-zA-Z0-9.-]+/[a-zA-Z0-9._-]+$'

const remoteTransport = closed({
  type: Type.String({ enum: ['streamable-http', 'sse'], description: 'How it is reached.' }),
  url: link('Its address.'),
})

/** A `server.json`, with the fields that a record can fill. */
export const RegistryServer = closed(
  {
    $schema: link('Schema of this description.'),
    name: Type.String({ pattern: SERVER_NAME_PATTERN, minLength: 3, maxLength: 200 }),
    title: Type.Optional(Type.String({ minLength: 1, maxLength: 100 })),
    description: Type.String({ minLength: 1, maxLength: 100 }),
    version: Type.String({
      minLength: 1,
      maxLength: 255,
      description: 'Measured at its first package; 0.0.0-unknown before that.',
    }),
    websiteUrl: Type.Optional(link('Documentation, or else the site of the vendor.')),
    repository: Type.Optional(
      closed({ url: link('Source code.'), source: textField('Who hosts it.', 253) }),
    ),
    packages: Type.Optional(
      Type.Array(
        closed({
          registryType: openWord('Registry.', ['npm', 'pypi', 'cargo', 'nuget', 'oci']),
          identifier: textField('Name there.', 300),
          version: Type.Optional(textField('Newest version that was measured.', 100)),
          transport: closed({ type: Type.Literal('stdio') }),
        }),
      ),
    ),
    remotes: Type.Optional(Type.Array(remoteTransport)),
  },
  'An MCP server in the words of the official registry.',
)
export type RegistryServer = Static<typeof RegistryServer>

/** The catalog's own fields, under its own key. */
export const RegistryGrade = closed(
  {
    slug: slug('The record.'),
    url: link('Its page.'),
    jsonUrl: link('All of it.'),
    graded: Type.Boolean(),
    grade: orNull(openWord('Grade.', GRADES)),
    score: orNull(Type.Number({ minimum: 0, maximum: 100 })),
    agentReady: Type.Boolean({ description: 'Whether an agent can use it without a person.' }),
    rank: orNull(Type.Integer({ minimum: 1, description: 'Place among all ranked records.' })),
    rankOf: countField('How many records are ranked.'),
    confidence: openWord('How sure the assessment is.', ['high', 'medium', 'low', 'none']),
    methodology: textField('Version of the methodology.', 64),
    run: day('Day of the research run.'),
    auth: textField('How callers prove who they are.', 64),
    pricing: textField('What it costs.', 64),
    x402: Type.Optional(
      openWord('Whether calls can be paid one by one; absent: not known.', X402_LEVELS),
    ),
    preview: Type.Boolean({ description: 'Example data, not to be relied on.' }),
    license: textField('Licence of the data.', 100),
    attribution: textField('Credit line for the data.', 500),
  },
  'What the catalog says about a server.',
)
export type RegistryGrade = Static<typeof RegistryGrade>

/** The official registry's fields that this catalog knows. */
export const RegistryState = closed({
  status: openWord('`deprecated` once its end was announced.', ['active', 'deprecated']),
  statusMessage: Type.Optional(textField('When and how it ends.', 500)),
  updatedAt: Type.Optional(instantField('When the record last changed.')),
  isLatest: Type.Literal(true, { description: 'One version of each server is known.' }),
})
export type RegistryState = Static<typeof RegistryState>

export const OFFICIAL = 'io.modelcontextprotocol.registry/official'

export const RegistryEntry = closed(
  {
    server: RegistryServer,
    _meta: Type.Object(
      { [OFFICIAL]: RegistryState },
      {
        // The key begins with the reversed host of the catalog: com.example.catalog/catalog.
        patternProperties: { '/catalog$': RegistryGrade },
        additionalProperties: false,
      },
    ),
  },
  'A server, and what is known of it.',
)

/** Answer of `/v0.1/servers` and of the versions of one server. */
export const RegistryServersDocument = closed(
  {
    servers: Type.Array(RegistryEntry),
    metadata: closed({
      count: countField('Servers in this answer.'),
      nextCursor: Type.Optional(
        textField('Where the next page begins; not there on the last.', 400),
      ),
    }),
  },
  'MCP servers in the shape of the official registry.',
)

/** Every parameter of `/v0.1/servers`; without any the whole list is served. */
export const REGISTRY_PARAMETERS = {
  cursor: textField('`metadata.nextCursor` of the page before.', 400),
  limit: Type.Integer({
    minimum: 1,
    maximum: 100,
    default: 30,
    description: 'Servers on a page.',
  }),
  search: textField('Text that name, title or description contain; capitals do not matter.', 200),
  updated_since: Type.String({
    format: 'date-time',
    description: 'Records that changed then or later (RFC 3339).',
  }),
  version: textField('`latest`, or exactly this version.', 255),
  include_deleted: Type.Boolean({
    description: 'Accepted without effect: removed servers are not kept.',
  }),
}
