import { Database } from 'bun:sqlite'
import type { Kind } from './hostile-corpus.ts'

/**
 * Every column of text, by whose words stand in it. `OTHERS`: what agents, people, devices and
 * servers wrote; `@` marks an address, `{}` JSON, `#` what a list is sorted by, which stays sorted.
 * `OURS`: ids, states, secrets, and text that was made of our own words. `CATALOG`: what is tried
 * with a catalog. A new column has to be in one of them; in `OTHERS` it is tried on every page by
 * itself.
 */
export const OTHERS: Record<string, string> = {
  agent_sessions:
    'machine_id session_id agent_name client repo_key branch intent machine_name last_action',
  agent_tokens: 'name last_used_from last_used_client connection{}',
  account_codes: 'label',
  alarms: 'name text',
  audit: 'person_name subject_name detail',
  callback_attempts: 'error',
  chat_accounts: 'label',
  callbacks: 'url@ origin last_error',
  contracts: 'session_id allowed_paths{} off_limits_paths{} promises{} done_when',
  deliveries: 'message{} last_error message_ref',
  directories: 'name',
  directory_people: 'attributes{}',
  gates: 'name server machine_id machine_name instructions',
  gate_upstreams: 'name url',
  gate_listings: 'tools{}',
  gate_tools: 'name definition{} confirmed{} last_yes{}',
  gate_versions: 'name definition{} confirmed{} last_yes{}',
  groups: 'name external_id',
  grants: 'session_id machine_id tool_name action agent_name cwd',
  held_answers: 'ending{} edited{}',
  identities: 'label groups{}',
  hooks:
    'session_id machine_id client client_version hook_version contract_etag example_paths{} gaps{}',
  instructions: 'person_name text',
  joined_calls: 'key callback_url@',
  late_answers: 'value note answered_as answered_on{}',
  notifications:
    'title body agent_name machine_id session_id context{} url@ icon_url@ image_url@ targeting{} key result{}',
  oauth_clients: 'name',
  pairing_codes: 'device',
  permits: 'detail',
  passkeys: 'name transports',
  people: 'name email# image@',
  policies: 'changes{} file{}',
  policy_tokens: 'name',
  proposed_changes: 'change{}',
  presence: 'machine_id',
  quick_replies: 'texts{}',
  providers: 'settings{}',
  sign_in_flows: 'arrival{}',
  questions:
    'question choices{} detail{} agent_name machine_id session_id repo_key targeting{} key callback_url@ value note answered_as answered_on{} end_reason requirement{} watched{}',
  question_tallies: 'repo_key',
  receipts: 'payload signature',
  rotas: 'name',
  rota_feeds: 'problem shifts{}',
  rules: 'match{} set{}',
  sign_ins: 'ip_address user_agent',
  subscriber_tags: 'tag',
  subscribers: 'endpoint@ label external_id user_agent last_error',
  turns: 'machine_id session_id client last_words turn',
  votes: 'value note name',
  watches: 'target records{} url@',
  watch_news: 'item{}',
  widenings: 'path',
  workspaces: 'name',
}

export const OURS: Record<string, string> = {
  account_codes: 'hash person_id service account workspace_id',
  agent_sessions: 'id workspace_id token_id',
  agent_tokens: 'id workspace_id hash tail created_by owner_group client_id',
  audit: 'id workspace_id kind person_id token_id subject_id',
  audit_seals: 'body signature',
  callback_attempts: 'id callback_id',
  callback_secrets: 'id workspace_id secret',
  callbacks: 'id workspace_id question_id body state claimed_by',
  chat_accounts: 'service account workspace_id person_id',
  chat_prompts: 'ref account act subject',
  connect_codes: 'hash workspace_id person_id transport',
  contracts: 'question_id workspace_id ratified_by',
  credentials:
    'id user_id account_id provider_id access_token refresh_token id_token scope password',
  deliveries: 'id workspace_id subject_id subscriber_id kind state claimed_by',
  directories: 'id workspace_id',
  directory_people: 'id directory_id person_id user_name external_id',
  directory_tokens: 'id directory_id hash tail',
  claims: 'question_id person_id workspace_id',
  failovers: 'question_id workspace_id steps told waiting',
  gates: 'id workspace_id server_hash instructions_hash confirmed_instructions',
  gate_upstreams: 'workspace_id header_name header_value token_id',
  gate_listings: 'key workspace_id',
  gate_tools: 'gate_id fingerprint',
  gate_versions: 'gate_id fingerprint',
  groups: 'id workspace_id source',
  group_members: 'group_id person_id source',
  grants: 'id workspace_id token_id question_id person_id arguments_hash length ended_because',
  held_answers: 'question_id workspace_id person_id',
  hooks: 'workspace_id token_id contained',
  identities: 'provider issuer subject workspace_id person_id',
  instructions: 'id workspace_id session person_id via state',
  joined_calls: 'id workspace_id question_id',
  late_answers: 'id workspace_id question_id answer_source answered_by',
  leases: 'name holder',
  logout_ids: 'provider hash',
  members: 'workspace_id person_id role role_from',
  notifications: 'id workspace_id token_id question_id held group_id',
  open_pages: 'person_id page workspace_id',
  own_quiet_hours: 'workspace_id person_id hours',
  oauth_clients: 'id kind redirect_uris auth_method secret_hash workspace_id created_by',
  oauth_codes: 'hash client_id token_id family redirect_uri challenge scopes resource',
  oauth_tokens: 'hash kind token_id client_id family scopes resource',
  pairing_codes: 'hash pairing_id workspace_id person_id step fingerprint sign_in_id',
  passkeys: 'id user_id public_key credential_id device_type aaguid',
  people: 'id',
  permits: 'id workspace_id question_id token_id action_hash outcome',
  policies: 'workspace_id protect',
  policy_tokens: 'id workspace_id hash tail may created_by',
  proposed_changes: 'question_id workspace_id basis',
  providers: 'id workspace_id secret',
  push_counts: 'token_id recipient more_subject',
  presence: 'workspace_id',
  quick_replies: 'person_id',
  questions:
    'id workspace_id token_id origin type held delivery_mode status notification_id answer_source answered_by ended_by_token',
  question_tallied: 'workspace_id',
  question_tallies: 'workspace_id times',
  rate_limits: 'key',
  receipts: 'question_id workspace_id',
  unsigned_receipts: 'question_id workspace_id delivery_mode',
  reminders: 'question_id workspace_id',
  rotas: 'id workspace_id source zone schedule',
  rota_feeds: 'rota_id url etag',
  rota_overrides: 'id rota_id person_id kind',
  rules: 'id workspace_id decision approve mode name',
  settings: 'name value',
  sign_in_flows: 'hash provider browser_hash nonce verifier next purpose person_id',
  sign_ins: 'id user_id token provider provider_sid',
  subscriber_tags: 'workspace_id subscriber_id',
  snoozes: 'person_id question_id',
  subscribers:
    'id workspace_id person_id kind transport p256dh auth authorization silent_why sign_in_id',
  switched_off: 'workspace_id person_id sort kind',
  token_usage: 'token_id workspace_id',
  turn_holds: 'workspace_id client',
  turns: 'id workspace_id token_id state door let_go',
  used_links: 'question_id subscriber_id purpose',
  votes: 'question_id workspace_id person_id source proof passkey',
  verifications: 'id identifier value invited_by',
  watches: 'id workspace_id person_id token_id kind news secret stopped_why',
  watch_news: 'subject',
  watch_posts: 'id workspace_id watch_id url origin body state claimed_by last_error',
  widenings: 'question_id contract_id workspace_id',
  viewers: 'subject_id who',
  workspaces: 'id visibility',
}

/** `catalog_…` is filled by `hostileCatalog`, `Live` and the drafts of their own tests. */
export const CATALOG = /^catalog_/

// In JSON: words of ours, which mean something, and addresses.
const MEANT = new Set(
  'scopes agreedTo type kind urgency deliveryMode from to zone correlationId tag page id subscriberIds quick at'.split(
    ' ',
  ),
)
const ADDRESS = new Set(['url', 'iconUrl', 'imageUrl'])

// A session is known by them wherever it stands.
const JOINS = /^(session_id|machine_id)$/

type Pick = (n: number, kind: Kind) => string

/**
 * Writes other words into every column of `OTHERS` that holds any, past every door, as often as it
 * is called; what names one thing in several tables goes on doing so. Returns how many places it wrote.
 */
export function spoiler(file: string): (pick: Pick) => number {
  const places = readPlaces(file)
  return (pick) => {
    using db = new Database(file)
    const texts = new Map<string, string>()
    let count = 0
    const other = (name: string, old: string, kind: Kind) => {
      const key = JOINS.test(name) ? `${name} ${old}` : `${count}`
      const text = texts.get(key) ?? pick(texts.size, kind)
      texts.set(key, text)
      count++
      return text
    }
    for (const { table, rowid, column, mark, old } of places) {
      const isJson = mark === '{}'
      const fresh = isJson
        ? JSON.stringify(inside(JSON.parse(old), column, other))
        : `${mark === '#' ? rowid : ''}${other(column, old, mark === '@' ? 'address' : 'text')}`
      db.query(`update or ignore ${table} set "${column}" = ? where rowid = ?`).run(fresh, rowid)
    }
    return count
  }
}

type Other = (name: string, old: string, kind: Kind) => string

function inside(value: unknown, name: string, other: Other): unknown {
  if (typeof value === 'string') {
    if (MEANT.has(name)) return value
    return other(name, value, ADDRESS.has(name) ? 'address' : 'text')
  }
  if (Array.isArray(value)) return value.map((one) => inside(one, name, other))
  if (value === null || typeof value !== 'object') return value
  const entries = Object.entries(value)
  return Object.fromEntries(entries.map(([key, own]) => [key, inside(own, key, other)]))
}

type Place = { table: string; rowid: number; column: string; mark: string; old: string }

function readPlaces(file: string): Place[] {
  using db = new Database(file, { readonly: true })
  return Object.entries(OTHERS).flatMap(([table, columns]) => {
    const rows = db.query(`select rowid as own_rowid, * from ${table} order by rowid`).all()
    return (rows as Row[]).flatMap((row) =>
      columns.split(' ').flatMap((spec) => {
        const [, column = '', mark = ''] = /^(\w+)(@|\{\}|#)?$/.exec(spec) ?? []
        const old = row[column]
        if (typeof old !== 'string') return []
        return [{ table, rowid: row.own_rowid as number, column, mark, old }]
      }),
    )
  })
}

type Row = Record<string, unknown>

/** The tables of `OTHERS` in which nothing stands: what is said of them was not tried. */
export function emptyTables(file: string): string[] {
  using db = new Database(file, { readonly: true })
  return Object.keys(OTHERS).filter((table) => !db.query(`select 1 from ${table} limit 1`).get())
}
