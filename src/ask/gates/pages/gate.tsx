/** @jsxImportSource preact */

import type { Clock } from '../../../platform/clock.ts'
import type { Db } from '../../../platform/db/database.ts'
import { Failure } from '../../../platform/failure.ts'
import { sha256 } from '../../../platform/signing/sha256.ts'
import { formField, Problem, readForm } from '../../../platform/web/form.tsx'
import { Icon } from '../../../platform/web/icon.tsx'
import { html, seeOther } from '../../../platform/web/respond.ts'
import { may } from '../../accounts/model/person.ts'
import { CatalogFact } from '../../pages/catalog-fact.tsx'
import { notFound } from '../../pages/error-page.tsx'
import { Fact } from '../../pages/fact.tsx'
import { Layout } from '../../pages/layout.tsx'
import { Prose, SafeText } from '../../pages/marked.tsx'
import { OwnersChange } from '../../pages/owners-change.tsx'
import { href, paths } from '../../pages/paths.ts'
import { Ago } from '../../pages/time.tsx'
import type { ServerRecord, SignedIn } from '../../pages/visit.ts'
import { confirmTools, removeGate } from '../confirm-tools.ts'
import type { Gate, GateTool } from '../model/gate.ts'
import { readGate } from '../model/store.ts'
import { readSeenGate, standingOf } from '../read-gates.ts'
import { ToolRow } from './tool-row.tsx'

type Deps = { db: Db; clock: Clock }

// As many as somebody reads before one tap.
const SHOWN = 40

/** `/settings/gates/ID`: the tools of a server, those to look at first, with one Confirm. */
export async function showGate(deps: Deps, visit: SignedIn): Promise<Response> {
  const gate = await findGateOf(deps, visit)
  const { tools, toLookAt } = await readSeenGate(deps.db.read, gate)
  const from = Math.max(0, Number(visit.url.searchParams.get('from')) || 0)
  const visible = tools.slice(from, from + SHOWN)
  const { searchParams } = visit.url
  const record = await visit.recordOf?.(gate.server)
  return html(
    <Layout
      visit={visit}
      title={`Gate ${gate.name}`}
      section="settings"
      back={{ to: paths.gates, name: 'Back to the gates' }}
    >
      <div class="page-head">
        <h1>
          <Prose text={gate.name} />
        </h1>
        <p class="sub">{headWords(tools, toLookAt)}</p>
      </div>
      {searchParams.has('changed') && <Problem>{CHANGED}</Problem>}
      {searchParams.has('confirmed') && (
        <p class="result good" role="status">
          <Icon name="check" />
          <span>Confirmed.</span>
        </p>
      )}
      <GateFacts gate={gate} visit={visit} record={record} />
      <Tools gate={gate} tools={visible} from={from} all={tools.length} visit={visit} />
      {may(visit.person, 'policy') && <RemoveForm gate={gate} />}
    </Layout>,
  )
}

const CHANGED =
  'The server listed other tools since you opened this page, so nothing was confirmed. Look at them again.'

function headWords(tools: readonly GateTool[], toLookAt: number): string {
  if (tools.length === 0)
    return 'This server has listed no tools so far, so every call is asked about.'
  if (toLookAt === 0) return 'An owner has confirmed all tools as they are.'
  return `${toLookAt} of ${tools.length} tools ask every time, whatever allows them, until an owner has looked at them.`
}

export async function findGateOf({ db }: { db: Db }, { person, params }: SignedIn): Promise<Gate> {
  const gate = await readGate(db.read, person.workspaceId, params.id ?? '')
  if (!gate) throw notFound()
  return gate
}

type FactsProps = { gate: Gate; visit: SignedIn; record: ServerRecord | undefined }

function GateFacts({ gate, visit, record }: FactsProps) {
  const { server, machineName, seenAt, instructions } = gate
  return (
    <dl class="facts">
      <Fact name="Server">
        <code class="server">
          <Prose text={server} />
        </code>
      </Fact>
      <CatalogFact record={record} />
      <Fact name="Last used">
        <Ago at={seenAt} moment={visit.moment} />
        {machineName && ` on ${machineName}`}
      </Fact>
      {instructions && (
        <Fact name="What it tells agents, not checked">
          {isNewInstructions(gate) && (
            <p>
              <span class="chip wait">not confirmed</span>
            </p>
          )}
          <details class="own-words">
            <summary>Instructions</summary>
            <p>
              <SafeText text={instructions} />
            </p>
          </details>
        </Fact>
      )}
      <Fact name="Calls">
        <a href={`${paths.activity}?${new URLSearchParams({ q: `mcp__${gate.name}__` })}`}>
          The last ones in Activity
        </a>
      </Fact>
    </dl>
  )
}

function isNewInstructions({ instructionsHash, confirmedInstructions }: Gate): boolean {
  return instructionsHash !== undefined && instructionsHash !== confirmedInstructions
}

type ToolsProps = {
  gate: Gate
  tools: readonly GateTool[]
  from: number
  all: number
  visit: SignedIn
}

function Tools({ gate, tools, from, all, visit }: ToolsProps) {
  if (tools.length === 0) return null
  const changes = may(visit.person, 'policy')
  const rows = tools.map((tool) => <ToolRow gate={gate} tool={tool} changes={changes} />)
  const next = from + SHOWN < all && (
    <p class="more">
      <a href={`${href.gate(gate.id)}?from=${from + SHOWN}`}>The next tools</a>
    </p>
  )
  if (!changes) {
    return (
      <section class="part gate-tools" aria-label="Tools">
        <OwnersChange what="what runs without asking" />
        <ul class="things">{rows}</ul>
        {next}
      </section>
    )
  }
  return (
    <form class="part gate-tools" method="post" action={href.confirmGate(gate.id)}>
      <h2>Tools</h2>
      <p class="soft">
        What is ticked runs without asking, as long as the tool stays as it is. A{' '}
        <a href={paths.rules}>rule</a> that asks or declines comes first. Proposed is what says of
        itself that it only reads; what has changed, you tick again.
      </p>
      <input type="hidden" name="seen" value={digestOf(gate, tools)} />
      <input type="hidden" name="from" value={from} />
      <ul class="things">{rows}</ul>
      <div>
        <button type="submit" class="primary">
          <Icon name="check" />
          Confirm{' '}
          {listedOf(tools).length === 1 ? 'this tool' : `these ${listedOf(tools).length} tools`}
        </button>
      </div>
      {next}
    </form>
  )
}

function listedOf(tools: readonly GateTool[]): GateTool[] {
  return tools.filter((tool) => tool.listed)
}

/** What the page showed: all of it is confirmed together, or nothing. */
function digestOf({ instructionsHash = '' }: Gate, tools: readonly GateTool[]): string {
  const versions = listedOf(tools).map(({ name, fingerprint }) => [name, fingerprint])
  return sha256(JSON.stringify([instructionsHash, versions]))
}

/** Confirms what the page showed, if it is still so. */
export async function submitConfirm(deps: Deps, visit: SignedIn): Promise<Response> {
  const form = await readForm(visit.request)
  const gate = await findGateOf(deps, visit)
  const from = Math.max(0, Number(formField(form, 'from')) || 0)
  const { tools } = await readSeenGate(deps.db.read, gate)
  const visible = tools.slice(from, from + SHOWN)
  const page = href.gate(gate.id)
  if (formField(form, 'seen') !== digestOf(gate, visible)) return seeOther(`${page}?changed`)
  const unasked = new Set(form.getAll('unasked'))
  const decisions = listedOf(visible).map(({ name, fingerprint }) => ({
    name,
    fingerprint,
    unasked: unasked.has(name),
  }))
  try {
    await confirmTools(deps, visit.person, gate.id, decisions, gate.instructionsHash)
  } catch (error) {
    if (error instanceof Failure && error.code === 'conflict') return seeOther(`${page}?changed`)
    throw error
  }
  const isMore = tools.slice(from + SHOWN).some((tool) => /new|changed/.test(standingOf(tool)))
  return seeOther(isMore ? `${page}?confirmed&from=${from + SHOWN}` : `${page}?confirmed`)
}

function RemoveForm({ gate }: { gate: Gate }) {
  return (
    <details class="removing part">
      <summary>Remove this gate</summary>
      <form method="post" action={href.removeGate(gate.id)}>
        <p>
          What was confirmed is forgotten. When the server is used again, all its tools are new.
        </p>
        <button type="submit" class="small bad">
          Remove
        </button>
      </form>
    </details>
  )
}

export async function submitRemoveGate(deps: Deps, visit: SignedIn): Promise<Response> {
  await readForm(visit.request)
  await removeGate(deps, visit.person, visit.params.id ?? '')
  return seeOther(paths.gates)
}
