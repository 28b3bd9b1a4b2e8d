/** @jsxImportSource preact */

import type { Clock } from '../../../platform/clock.ts'
import type { Db } from '../../../platform/db/database.ts'
import { FormField, formField, readForm } from '../../../platform/web/form.tsx'
import { Icon } from '../../../platform/web/icon.tsx'
import {
  Adding,
  Code,
  CopyButton,
  Empty,
  Pager,
  pagesOf,
} from '../../../platform/web/page-parts.tsx'
import { html, seeOther } from '../../../platform/web/respond.ts'
import type { Limited } from '../../accounts/charge-token.ts'
import {
  type AgentToken,
  type Connection,
  isForNobody,
  isForOwnQuestions,
  ownerOf,
} from '../../accounts/model/agent.ts'
import type { TokenId } from '../../accounts/model/ids.ts'
import { may, type Person } from '../../accounts/model/person.ts'
import { listPeople } from '../../accounts/model/person-store.ts'
import { recentAtNow, TOKEN_LIMITS, type TokenLimits } from '../../accounts/model/token-limits.ts'
import { readUsage, type TokenUsage } from '../../accounts/model/usage-store.ts'
import { listUpstreams } from '../../gates/model/upstream-store.ts'
import type { Group } from '../../groups/model/group.ts'
import { listGroups } from '../../groups/model/store.ts'
import { Layout } from '../../pages/layout.tsx'
import { href, paths } from '../../pages/paths.ts'
import { TestMark } from '../../pages/test-mark.tsx'
import { Ago } from '../../pages/time.tsx'
import type { Moment, SignedIn } from '../../pages/visit.ts'
import { hasFixedOwner } from '../../people/token-owner.ts'
import { emptyToken } from '../../retention/empty-token.ts'
import { countTokens, createToken, readTokenPage, revokeToken, seesAll } from '../agent-tokens.ts'
import { ClientInstructions } from './client-setup.tsx'

export type TokenPageDeps = {
  db: Db
  clock: Clock
  limited?: Limited
  baseUrl: string
  /** True if clients may sign in. */
  oauth: boolean
}

const NAME_MAX = 100
const ROWS = 30

type NewToken = { name: string; token: string; test: boolean }

/** `/settings/tokens`: what agents sign in with. */
export function showTokens(deps: TokenPageDeps, visit: SignedIn): Promise<Response> {
  return tokensPage(deps, visit)
}

/** Makes a token and shows it this once, with what each client needs. */
export async function submitNewToken(deps: TokenPageDeps, visit: SignedIn): Promise<Response> {
  const form = await readForm(visit.request)
  const { person } = visit
  const name = formField(form, 'name')
  const test = form.get('test') === 'yes'
  const { token } = await createToken(deps, {
    workspaceId: person.workspaceId,
    name,
    test,
    by: person.id,
  })
  return tokensPage(deps, visit, { name, token, test })
}

export async function submitRevokeToken(deps: TokenPageDeps, visit: SignedIn): Promise<Response> {
  await readForm(visit.request)
  await revokeToken(deps, { id: visit.params.id ?? '', person: visit.person })
  return seeOther(paths.tokens)
}

export async function submitEmptyToken(deps: TokenPageDeps, visit: SignedIn): Promise<Response> {
  await readForm(visit.request)
  await emptyToken(deps, { id: visit.params.id ?? '', person: visit.person })
  return seeOther(paths.tokens)
}

async function tokensPage(
  deps: TokenPageDeps,
  visit: SignedIn,
  newToken?: NewToken,
): Promise<Response> {
  const total = await countTokens(deps, visit.person)
  const at = pagesOf(total, ROWS, visit.url)
  const tokens = await readTokenPage(deps, visit.person, { offset: at.offset, limit: ROWS })
  const used = await readUsage(
    deps.db.read,
    tokens.map(({ id }) => id),
  )
  const limits = deps.limited?.limits ?? TOKEN_LIMITS
  const isOwner = may(visit.person, 'tokens')
  const { workspaceId } = visit.person
  const owners = {
    people: await listPeople(deps.db.read, workspaceId),
    groups: await listGroups(deps.db.read, workspaceId),
  }
  const upstreams = newToken ? await listUpstreams(deps.db.read, workspaceId) : []
  const gates = upstreams.map(({ name }) => name)
  return html(
    <Layout
      visit={visit}
      title="Agent tokens"
      section="settings"
      back={{ to: paths.settings, name: 'Back to the settings' }}
    >
      <div class="page-head">
        <h1>Agent tokens</h1>
        <p class="sub">
          An agent signs in with a token. Give each agent or machine its own.
          {!seesAll(visit.person) && ' You see yours; an owner sees all.'}
        </p>
      </div>
      {newToken && <NewTokenNotice made={newToken} baseUrl={deps.baseUrl} gates={gates} />}
      {!newToken && may(visit.person, 'act') && <NewToken open={total === 0} />}
      {total > 0 && (
        <ul class="things">
          {tokens.map((token) => (
            <TokenCard
              token={token}
              whose={ownerWords(token, owners, visit.person)}
              mayHandOver={isOwner && !hasFixedOwner(token)}
              usage={used.get(token.id)}
              limits={limits}
              moment={visit.moment}
            />
          ))}
        </ul>
      )}
      <Pager at={at} path={paths.tokens} />
      {total === 0 && (
        <Empty
          icon="key"
          title={seesAll(visit.person) ? 'No agent can ask yet' : 'You have made no token yet'}
        >
          Create a token above, then paste one command into your agent.
        </Empty>
      )}
      {!newToken && (deps.oauth || isOwner) && <SigningIn deps={deps} person={visit.person} />}
    </Layout>,
  )
}

type NoticeProps = { made: NewToken; baseUrl: string; gates: readonly string[] }

function NewTokenNotice({ made: newToken, baseUrl, gates }: NoticeProps) {
  return (
    <section class="made" aria-labelledby="made-title">
      <h2 id="made-title">
        <Icon name="check" />
        {newToken.name} is ready
      </h2>
      <div class="secret" data-copy-from>
        <Code name="The token">{newToken.token}</Code>
        <CopyButton />
      </div>
      <p class="rule">This is the only time it is shown. Keep it like a password.</p>
      <ClientInstructions baseUrl={baseUrl} token={newToken.token} />
      {gates.length > 0 && (
        <p class="rule">
          It also opens the <a href={paths.gates}>gates over HTTP</a> {gates.slice(0, 5).join(', ')}
          {gates.length > 5 && ` and ${gates.length - 5} more`}.
        </p>
      )}
    </section>
  )
}

/** Whose a token is, in words: `Ana’s`. */
function ownerWords(token: AgentToken, { people, groups }: Owners, self: Person): string {
  const owner = ownerOf(token)
  if (owner === undefined) return 'without an owner'
  if (owner === self.id) return 'yours'
  const group = groups.find(({ id }) => id === owner)
  if (group) return `of the group ${group.name}`
  const person = people.find(({ id }) => id === owner)
  return person ? `${person.name}’s` : 'of somebody who is no longer here'
}

type Owners = { people: readonly Person[]; groups: readonly Group[] }

type CardProps = {
  token: AgentToken
  /** Whose it is, in words: `Ana’s`. */
  whose: string
  /** True if the person may hand it over. */
  mayHandOver: boolean
  usage: TokenUsage | undefined
  limits: TokenLimits
  moment: Moment
}

function TokenCard({ token, whose, mayHandOver, usage, limits, moment }: CardProps) {
  const { id, name, tail, test, createdAt, lastUsedAt, lastUsedClient, lastUsedFrom } = token
  const { connection } = token
  const from = [lastUsedClient, lastUsedFrom].filter(Boolean).join(', ')
  return (
    <li class={test ? 'thing test' : 'thing'} data-move>
      <div>
        <p class="thing-name">
          <b>{name}</b>{' '}
          {connection ? (
            <code>{connection.host ?? connection.returnsTo}</code>
          ) : (
            <code>bk_…{tail}</code>
          )}{' '}
          {test && <TestMark />}
        </p>
        {connection && <Allowed connection={connection} />}
        <p class="soft">
          {isForNobody(token) ? (
            `${isForOwnQuestions(token) ? 'For the questions you ask yourself' : 'For news of the catalog'}; no agent has it`
          ) : lastUsedAt === null ? (
            'Never used'
          ) : (
            <>
              Used <Ago at={lastUsedAt} moment={moment} />
              {from && ` by ${from}`}
            </>
          )}
          {connection ? ' · connected ' : ' · made '}
          <Ago at={createdAt} moment={moment} /> · {whose}
        </p>
        {usage && <TokenUse usage={usage} limits={limits} moment={moment} />}
      </div>
      <div class="thing-do">
        {mayHandOver && <a href={href.tokenOwner(id)}>Hand over</a>}
        {usage && usage.keptBytes > 0 && <EmptyIt id={id} name={name} />}
        <details class="removing">
          <summary>Revoke</summary>
          <form method="post" action={href.revokeToken(id)}>
            <p>
              {connection
                ? 'It is refused from now on, and has to sign in again.'
                : 'Everything that uses it is refused from now on.'}
            </p>
            <button type="submit" class="small bad">
              Revoke {name}
            </button>
          </form>
        </details>
      </div>
    </li>
  )
}

/** Shows the permissions of a client that signed in. */
function Allowed({ connection }: { connection: Connection }) {
  const may = connection.scopes.includes('propose_scope')
    ? 'may ask, notify and propose scopes'
    : 'may ask and notify'
  return <p class="soft">Signed in · {may}</p>
}

/** For clients that cannot send a token. */
function SigningIn({ deps, person }: { deps: TokenPageDeps; person: Person }) {
  const address = `${deps.baseUrl}/mcp`
  if (!deps.oauth) {
    return (
      <section class="part">
        <h2>Clients that sign in</h2>
        <p class="soft">
          claude.ai, ChatGPT and others that take no token can sign in with OAuth. It is off here:
          set <code>BECKON_OAUTH=on</code> and start the server again.
          {!deps.baseUrl.startsWith('https:') && ' It needs https, other than on this machine.'}
        </p>
      </section>
    )
  }
  return (
    <section class="part signing-in">
      <h2>Clients that sign in</h2>
      <p class="soft">
        claude.ai, ChatGPT and others that take no token connect at this address, and you allow them
        on a page of this server. Those you allowed are listed above.
      </p>
      <div class="secret" data-copy-from>
        <Code name="The address">{address}</Code>
        <CopyButton />
      </div>
      {may(person, 'clients') && (
        <p>
          <a href={paths.clients}>Set up a client that asks for a client ID</a>
        </p>
      )}
    </section>
  )
}

function EmptyIt({ id, name }: { id: TokenId; name: string }) {
  return (
    <details class="removing">
      <summary>Empty</summary>
      <form method="post" action={href.emptyToken(id)}>
        <p>
          Its notifications and ended questions are deleted for good, also from the activity. Open
          questions stay.
        </p>
        <button type="submit" class="small bad">
          Empty {name}
        </button>
      </form>
    </details>
  )
}

function NewToken({ open }: { open: boolean }) {
  return (
    <Adding name="New token" open={open}>
      <form method="post" action={paths.tokens}>
        <FormField
          name="name"
          label="What is it for?"
          required
          maxLength={NAME_MAX}
          placeholder="Claude Code on the laptop"
        />
        <label class="check">
          <input type="checkbox" name="test" value="yes" />
          <span>For tests: everything is recorded, no device ever rings</span>
        </label>
        <button type="submit" class="primary">
          Create token
        </button>
      </form>
    </Adding>
  )
}

type Props = { usage: TokenUsage; limits: TokenLimits; moment: Moment }

// From here on it is worth a warning before calls are refused.
const NEAR = 0.8

/** How much of its limits a token uses; what is nearly used up stands out. */
function TokenUse({ usage, limits, moment }: Props) {
  const { openQuestions, keptBytes } = usage
  const recent = recentAtNow(usage, limits, moment.now)
  return (
    <ul class="token-use">
      <Used of={openQuestions} most={limits.openQuestions} unit="open questions" />
      <Used of={inMegabytes(recent)} most={inMegabytes(limits.bytesAnHour)} unit="MB this hour" />
      <Used of={inMegabytes(keptBytes)} most={inMegabytes(limits.keptBytes)} unit="MB kept" />
    </ul>
  )
}

function Used({ of, most, unit }: { of: number; most: number; unit: string }) {
  const isNear = of >= most * NEAR
  return (
    <li class={isNear ? 'near' : undefined}>
      <b>{formatNumber(of)}</b> of {formatNumber(most)} {unit}
      {isNear && ' – nearly all'}
    </li>
  )
}

function inMegabytes(bytes: number): number {
  return bytes / 1_000_000
}

/** Whole numbers as they are, others with one decimal. */
function formatNumber(number: number): string {
  if (Number.isInteger(number) || number >= 10) return Math.round(number).toLocaleString('en')
  return number < 0.1 ? 'under 0.1' : number.toFixed(1)
}
