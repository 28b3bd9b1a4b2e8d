/** @jsxImportSource preact */

import type { Db } from '../../../platform/db/database.ts'
import { Empty } from '../../../platform/web/page-parts.tsx'
import { html } from '../../../platform/web/respond.ts'
import { Layout } from '../../pages/layout.tsx'
import { Prose } from '../../pages/marked.tsx'
import { href, paths } from '../../pages/paths.ts'
import { Ago } from '../../pages/time.tsx'
import type { Moment, SignedIn } from '../../pages/visit.ts'
import { countWords } from '../../settings-row.ts'
import { readSeenGates, type SeenGate } from '../read-gates.ts'

/** `/settings/gates`: the MCP servers behind gates, those used last first. */
export async function showGates({ db }: { db: Db }, visit: SignedIn): Promise<Response> {
  const gates = await readSeenGates(db.read, visit.person.workspaceId)
  return html(
    <Layout
      visit={visit}
      title="Gates"
      section="settings"
      back={{ to: paths.settings, name: 'Back to the settings' }}
    >
      <div class="page-head">
        <h1>Gates</h1>
        <p class="sub">
          A gate stands before an MCP server: it lets a tool call through, asks you, or declines.
        </p>
      </div>
      {gates.length === 0 ? (
        <Empty icon="filter" title="No server behind a gate yet">
          Put <code>beckon gate NAME --</code> before the command of a server in its client’s file.
        </Empty>
      ) : (
        <ul class="things">
          {gates.map((seen) => (
            <GateCard seen={seen} moment={visit.moment} />
          ))}
        </ul>
      )}
    </Layout>,
  )
}

function GateCard({ seen, moment }: { seen: SeenGate; moment: Moment }) {
  const { gate, tools, toLookAt } = seen
  const listed = tools.filter((tool) => tool.listed).length
  return (
    <li class="thing" id={gate.id} data-move>
      <div>
        <p class="thing-name">
          <a href={href.gate(gate.id)}>
            <Prose text={gate.name} />
          </a>{' '}
          {toLookAt > 0 && <span class="chip wait">{toLookAt} to look at</span>}
        </p>
        <p class="soft">
          <code>
            <Prose text={gate.server} />
          </code>
        </p>
        <p class="soft">
          {countWords(listed, 'tool', 'No tools')} · used <Ago at={gate.seenAt} moment={moment} />
          {gate.machineName && ` on ${gate.machineName}`}
        </p>
      </div>
    </li>
  )
}
