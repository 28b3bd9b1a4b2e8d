/** @jsxImportSource preact */

import { Fact } from './fact.tsx'
import { Prose } from './marked.tsx'
import type { ServerRecord } from './visit.ts'

/** What the catalog of this server has about an MCP server. */
export function CatalogFact({ record }: { record: ServerRecord | undefined }) {
  if (!record) return null
  const { name, path, grade } = record
  return (
    <Fact name="In the catalog">
      <a href={path}>
        <Prose text={name} />
      </a>
      , {grade === undefined ? 'not graded' : `grade ${grade}`}
    </Fact>
  )
}
