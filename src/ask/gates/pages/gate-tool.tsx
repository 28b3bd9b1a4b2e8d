/** @jsxImportSource preact */

import type { Db } from '../../../platform/db/database.ts'
import { Code } from '../../../platform/web/page-parts.tsx'
import { html } from '../../../platform/web/respond.ts'
import { notFound } from '../../pages/error-page.tsx'
import { Layout } from '../../pages/layout.tsx'
import { Prose } from '../../pages/marked.tsx'
import { href } from '../../pages/paths.ts'
import { ToolChanges } from '../../pages/tool-changes.tsx'
import type { SignedIn } from '../../pages/visit.ts'
import { changesSince, partsOf } from '../describe-tool.ts'
import { findGateTool } from '../model/store.ts'
import { standingOf } from '../read-gates.ts'
import { findGateOf } from './gate.tsx'

/** `/settings/gates/ID/tool?name=`: all that a server says of one tool. */
export async function showGateTool({ db }: { db: Db }, visit: SignedIn): Promise<Response> {
  const gate = await findGateOf({ db }, visit)
  const tool = await findGateTool(db.read, gate.id, visit.url.searchParams.get('name') ?? '')
  if (!tool) throw notFound()
  const changes = standingOf(tool) === 'changed' ? changesSince(tool) : []
  return html(
    <Layout
      visit={visit}
      title={`${tool.name} of ${gate.name}`}
      section="settings"
      back={{ to: href.gate(gate.id), name: `Back to ${gate.name}` }}
    >
      <div class="page-head">
        <h1>
          <Prose text={tool.name} />
        </h1>
        <p class="sub">What its server says of it. Nothing of this is checked.</p>
      </div>
      {changes.length > 0 && (
        <section class="part">
          <h2>Changed since a person last saw it</h2>
          <ToolChanges changes={changes} />
        </section>
      )}
      {partsOf(tool.definition).map(({ part, text }) => (
        <section class="part">
          <h2>{part}</h2>
          <Code name={part}>
            <Prose text={text} />
          </Code>
        </section>
      ))}
    </Layout>,
  )
}
