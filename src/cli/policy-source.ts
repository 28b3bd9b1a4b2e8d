import { NeedsAgreement } from '../ask/accounts/model/guarded-change.ts'
import type { WorkspaceId } from '../ask/accounts/model/ids.ts'
import { absolute, decidePath } from '../ask/delivery/model/links.ts'
import type {
  Applied,
  Applying,
  Comparison,
  FileDeps,
  PolicyText,
} from '../ask/policy-file/apply-file.ts'
import { applyFile, compareFile, releaseFile } from '../ask/policy-file/apply-file.ts'
import { exportFile } from '../ask/policy-file/export-file.ts'
import { lintHere } from '../ask/policy-file/lint-file.ts'
import type { Finding } from '../ask/policy-file/model/finding.ts'
import { type Trial, tryFile } from '../ask/policy-file/try-file.ts'
import { breakGlass } from '../ask/protect/break-glass.ts'
import { propose } from '../ask/protect/propose.ts'
import { chooseWorkspace } from '../ask/tokens/agent-tokens.ts'
import { systemClock } from '../platform/clock.ts'
import type { Config } from '../platform/config/config.ts'
import { wholeEnvironment } from '../platform/config/env.ts'
import { openKnownDatabase } from '../platform/db/open-database.ts'
import { addressForLinks } from '../platform/db/server-address.ts'
import { Failure, WrongUsage } from '../platform/failure.ts'
import { readJsonObject } from '../platform/json.ts'
import { readConfig } from '../settings.ts'
import { refuseBesideService } from './service/beside-service.ts'

/** Where policy, groups and rules are: the data folder of this machine, or a server. */
export type PolicySource = AsyncDisposable & {
  /** The text of a new file, or that of `before`, brought up to date. */
  export(before: string | undefined): Promise<string>
  lint(text: string): Promise<Finding[]>
  compare(file: PolicyText): Promise<Comparison>
  try(file: PolicyText & { days: number }): Promise<Trial>
  /** `breakGlass`: why it is applied without the agreement that the policy asks for. */
  apply(file: Omit<Applying, 'by'> & { breakGlass?: string | undefined }): Promise<AppliedHere>
  release(): Promise<void>
}

/** `isGlassBroken`: others would have had to agree. */
type AppliedHere = Applied & { isGlassBroken?: boolean }

export type SourceFlags = {
  data?: string | undefined
  workspace?: string | undefined
  server?: string | undefined
  'base-url'?: string | undefined
}

/** Throws `WrongUsage` if it is not said which, or the server needs a token. */
export function openSource(flags: SourceFlags): Promise<PolicySource> {
  const { server, data, workspace } = flags
  if (server === undefined) return openHere(flags)
  if (data !== undefined || workspace !== undefined) {
    throw new WrongUsage('--server goes without --data and --workspace: its token says which.')
  }
  return Promise.resolve(openServer(server))
}

async function openHere(flags: SourceFlags): Promise<PolicySource> {
  const { data, workspace, 'base-url': url } = flags
  const config = readConfig({ data, 'base-url': url })
  await refuseBesideService(config)
  const db = await openKnownDatabase(config)
  const deps = { db, clock: systemClock }
  const workspaceId = await chooseWorkspace(deps, workspace)
  const { baseUrl } = addressForLinks(config, url)
  return {
    export: (before) => exportFile(deps, workspaceId, { baseUrl, before }),
    lint: (text) => lintHere(deps, workspaceId, text),
    compare: (file) => compareFile(deps, workspaceId, file),
    try: (file) => tryFile(deps, workspaceId, file),
    apply: (file) => applyHere({ ...deps, config, baseUrl }, workspaceId, file),
    release: () => releaseFile(deps, workspaceId),
    [Symbol.asyncDispose]: () => db[Symbol.asyncDispose](),
  }
}

type HereDeps = FileDeps & { config: Config; baseUrl: string }

/** Applies a file; where others have to agree, it is proposed, unless it is said why not. */
async function applyHere(
  { config, baseUrl, ...deps }: HereDeps,
  workspaceId: WorkspaceId,
  { breakGlass: because, ...file }: Parameters<PolicySource['apply']>[0],
): Promise<AppliedHere> {
  if (because !== undefined) {
    let isGlassBroken = false
    const onBroken = () => {
      isGlassBroken = true
    }
    const guard = breakGlass({ at: deps.clock.now(), because, onBroken })
    const applied = await applyFile({ ...deps, guard }, workspaceId, { ...file, because })
    return { ...applied, isGlassBroken }
  }
  try {
    return await applyFile(deps, workspaceId, file)
  } catch (error) {
    if (!(error instanceof NeedsAgreement)) throw error
    const { id } = await propose({ ...deps, config }, error.change)
    const place = absolute(baseUrl, decidePath(id))
    throw new Failure('conflict', `Others have to agree, so nothing is changed yet: ${place}`)
  }
}

// A dry run reads every question of the last days.
const PATIENCE_MS = 120_000

function openServer(server: string): PolicySource {
  const token = wholeEnvironment().BECKON_POLICY_TOKEN
  if (!token || !/^[\x21-\x7e]+$/.test(token)) {
    const cure = 'an owner makes one under Settings, Rules, in a file'
    throw new WrongUsage(`BECKON_POLICY_TOKEN must be a token like bp_…; ${cure}.`)
  }
  if (!URL.canParse(server)) throw new WrongUsage('--server must be the address of a server.')
  const base = `${server.replace(/\/+$/, '')}/api/v1/policy/file`
  const call = async (path: string, body?: object) => {
    const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' }
    const post = body && { method: 'POST', body: JSON.stringify(body) }
    const signal = AbortSignal.timeout(PATIENCE_MS)
    const init = { headers, redirect: 'manual', signal, ...post } as const
    const response = await fetch(base + path, init).catch((cause: unknown) => {
      throw new Failure('unavailable', `${server} cannot be reached.`, { cause })
    })
    const text = await response.text()
    if (response.status === 204) return {}
    const reply = readJsonObject(text)
    if (!response.ok || !reply) throw refusal(server, response.status, reply)
    return reply
  }
  return {
    async export(before) {
      const reply = before === undefined ? call('') : call('/update', { text: before })
      return (await reply).text as string
    },
    lint: async (text) => (await call('/lint', { text })).findings as Finding[],
    compare: async (file) => (await call('/diff', file)) as Comparison,
    try: async (file) => (await call('/try', file)) as Trial,
    async apply({ breakGlass: because, ...file }) {
      if (because === undefined) return (await call('/apply', file)) as Applied
      throw new WrongUsage('--break-glass works on the data folder alone, without --server.')
    },
    release: async () => void (await call('/release', {})),
    async [Symbol.asyncDispose]() {},
  }
}

const CODES = {
  401: 'unauthenticated',
  403: 'forbidden',
  409: 'conflict',
  429: 'rate_limited',
} as const

function refusal(server: string, status: number, reply: Record<string, unknown> | undefined) {
  const { detail, fields } = (reply ?? {}) as {
    detail?: string
    fields?: Array<{ field: string; must: string }>
  }
  if (status === 422) return new Failure('invalid_input', detail ?? '', { fields: fields ?? [] })
  const code = Object.hasOwn(CODES, status) ? CODES[status as keyof typeof CODES] : 'unavailable'
  return new Failure(
    code,
    detail ?? `${server} answered ${status}, and not as a Beckon server does.`,
  )
}
