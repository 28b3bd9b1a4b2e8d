/** @jsxImportSource preact */

import { Empty } from '../../../platform/web/page-parts.tsx'
import { html, seeOther } from '../../../platform/web/respond.ts'
import { may } from '../../accounts/model/person.ts'
import { Layout } from '../../pages/layout.tsx'
import { Prose } from '../../pages/marked.tsx'
import { OwnersChange } from '../../pages/owners-change.tsx'
import { href, paths } from '../../pages/paths.ts'
import { Ago } from '../../pages/time.tsx'
import type { Moment, SignedIn } from '../../pages/visit.ts'
import { countWords } from '../../settings-row.ts'
import { listUpstreams } from '../model/upstream-store.ts'
import { readSeenGates, type SeenGate } from '../read-gates.ts'
import {
  saveUpstreamForm,
  UpstreamCard,
  type UpstreamDeps,
  type UpstreamDraft,
  UpstreamForm,
} from './upstreams.tsx'

/** `/settings/gates`: the MCP servers behind gates, those used last first. */
export function showGates(deps: UpstreamDeps, visit: SignedIn): Promise<Response> {
  return gatesPage(deps, visit)
}

/** Saves a server over HTTP, or shows what is wrong with it. */
export async function submitUpstream(deps: UpstreamDeps, visit: SignedIn): Promise<Response> {
  const input = await saveUpstreamForm(deps, visit)
  return input ? gatesPage(deps, visit, input) : seeOther(paths.gates)
}

async function gatesPage(
  { db, baseUrl }: UpstreamDeps,
  visit: SignedIn,
  input?: UpstreamDraft & { status: number },
): Promise<Response> {
  const { workspaceId } = visit.person
  const gates = await readSeenGates(db.read, workspaceId)
  const upstreams = await listUpstreams(db.read, workspaceId)
  const changes = may(visit.person, 'policy')
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
          Run <code>beckon gate add NAME</code> where its client is, or add a server over HTTP.
        </Empty>
      ) : (
        <ul class="things">
          {gates.map((seen) => (
            <GateCard seen={seen} moment={visit.moment} />
          ))}
        </ul>
      )}
      <section class="part" aria-label="Servers over HTTP">
        <h2>Servers over HTTP</h2>
        {upstreams.length > 0 && (
          <ul class="things">
            {upstreams.map((upstream) => (
              <UpstreamCard {...{ upstream, baseUrl, changes }} moment={visit.moment} />
            ))}
          </ul>
        )}
        {changes ? <UpstreamForm input={input} /> : <OwnersChange what="servers over HTTP" />}
      </section>
    </Layout>,
    input?.status,
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
