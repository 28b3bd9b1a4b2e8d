import type { Static, TObject } from '@sinclair/typebox'
import type { Fields } from '../../platform/mcp/message.ts'
import { type Shape, shape } from '../../platform/schema.ts'
import type { CatalogSnapshot } from '../feeds/catalog-snapshot.ts'

/** One tool of the catalog, the same in both eras of the protocol. */
export type CatalogTool = {
  name: string
  /** The entry of `tools/list`. */
  listed: object
  /** Returns what fits the output schema. Throws `invalid_input`, `not_found` or `gone`. */
  answer(args: Fields, snapshot: CatalogSnapshot): object
}

// Read-only, repeatable, and closed: nothing but the published catalog is asked.
const ANNOTATIONS = {
  destructiveHint: false,
  idempotentHint: true,
  openWorldHint: false,
  readOnlyHint: true,
} as const

export function catalogTool<T extends TObject>(tool: {
  name: string
  title: string
  description: string
  inputSchema: T
  outputSchema: TObject
  answer(input: Static<T>, snapshot: CatalogSnapshot): object
}): CatalogTool {
  const { name, answer, inputSchema, ...definition } = tool
  const input: Shape<T> = shape(inputSchema)
  return {
    name,
    listed: { name, ...definition, inputSchema, annotations: ANNOTATIONS },
    answer: (args, snapshot) => answer(input.parse(args), snapshot),
  }
}
