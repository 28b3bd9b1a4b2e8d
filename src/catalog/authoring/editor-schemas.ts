import { type TSchema, Type } from '@sinclair/typebox'
import {
  AuthoredChange,
  AuthoredTool,
  AuthoredVendor,
  CatalogSettings,
} from '../records/authored.ts'
import { Tombstone } from '../records/change.ts'
import { DeskReview } from '../records/desk.ts'
import { Methodology } from '../records/methodology.ts'
import { VendorReply } from '../records/reply.ts'
import { AuthoredReview, ReviewerKey } from '../records/review.ts'

const SCHEMAS: Record<string, TSchema> = {
  catalog: CatalogSettings,
  methodology: Methodology,
  removed: Type.Array(Tombstone),
  keys: Type.Array(ReviewerKey),
  vendor: AuthoredVendor,
  tool: AuthoredTool,
  change: AuthoredChange,
  desk: DeskReview,
  reply: VendorReply,
  review: AuthoredReview,
}

/** JSON Schema of each kind of file, for editors: name of the file → its text. */
export function editorSchemas(): Map<string, string> {
  return new Map(
    Object.entries(SCHEMAS).map(([name, schema]) => {
      const head = {
        $schema: 'https://json-schema.org/draft/2020-12/schema',
        title: `Beckon catalog: ${name}`,
      }
      return [`${name}.schema.json`, `${JSON.stringify({ ...head, ...schema }, null, 2)}\n`]
    }),
  )
}

/** The line that tells editors which schema a file follows; `path` as `tools/resend.yaml`. */
export function schemaLine(path: string): string {
  const up = '../'.repeat(path.split('/').length - 1) || './'
  return `# yaml-language-server: $schema=${up}schemas/${schemaOf(path)}.schema.json\n`
}

function schemaOf(path: string): string {
  const [top = ''] = path.split('/')
  const kinds: Record<string, string> = { vendors: 'vendor', tools: 'tool', changes: 'change' }
  return kinds[top] ?? top.replace(/\.yaml$/, '')
}
