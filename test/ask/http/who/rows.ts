import type { Things } from '../../../support/things.ts'
import {
  agents,
  everyone,
  type More,
  ours,
  owners,
  ownersOfIt,
  page,
  people,
  type Row,
  row,
  seen,
} from './row.ts'
import { SIGNING_IN } from './sign-in-rows.ts'
import { FORM } from './world.ts'

const ask = { question: 'Deploy?', wait: false }
const nothing = async () => 'nothing'
const device = {
  kind: 'browser',
  transport: 'webpush',
  endpoint: 'https://push.example/who',
  keys: {
    p256dh:
      'BNcRdreALRFXTkOOUHK1EtK2wtaz5Ry4YfYCA_0QTpQtUbVlUls0VJXg7A8u-Ts1XbjhazAkj7I99e8QcYP7DkM',
    auth: 'tBHItJI5svbpez7KI4CCXg',
  },
}
const rule = { match: { toolName: 'Bash' }, set: { waitMs: 2_000 } }
const override = {
  person: 'nobody',
  kind: 'takes',
  starts: '2026-01-01T00:00:00Z',
  ends: '2026-01-02T00:00:00Z',
}
const ruleForm = { toolName: 'Bash', mode: '', wait: '2', grace: '', tags: '' }
const policyForm = {
  mode: 'push_first',
  wait: '45',
  grace: '0',
  presence: '60',
  pause: '3',
  quiet: '',
  from: '22:00',
  to: '07:00',
  zone: 'UTC',
  tags: '',
}
const about: Record<string, (things: Things) => Promise<string>> = {
  question: (things) => things.question(),
  ended: (things) => things.endedQuestion(),
  device: (things) => things.device(),
  token: (things) => things.token(),
  colleague: (things) => things.colleague(),
  rule: (things) => things.rule(),
  gate: (things) => things.gate(),
  group: (things) => things.group(),
  rota: (things) => things.rota(),
  grant: (things) => things.grant(),
  session: (things) => things.session(),
  turn: (things) => things.turn(),
  callback: (things) => things.callback(),
  notification: (things) => things.notification(),
  pairing: (things) => things.pairing(),
  code: (things) => things.pairingCode(),
  link: (things) => things.link(),
}
const of = (thing: string, more: More = {}): More => {
  const make = about[thing]
  return make ? { thing: make, ...more } : more
}
const form = {}
const NO_PERMIT: More = { thing: async () => 'nobody-has-this' }
let topics = 0

const FOR_AGENTS = [
  row('ALL /api/mcp/mcp', agents(200), {
    json: {
      jsonrpc: '2.0',
      id: 1,
      method: 'tools/call',
      params: { name: 'send_notification', arguments: { title: 'Hello', body: 'There.' } },
    },
  }),
  row('ALL /gate/:name', agents(404), {
    thing: async () => 'none',
    json: { jsonrpc: '2.0', id: 1, method: 'ping' },
  }),
  row('ALL /mcp', agents(200), {
    json: {
      jsonrpc: '2.0',
      id: 1,
      method: 'tools/call',
      params: { name: 'send_notification', arguments: { title: 'Hello', body: 'There.' } },
    },
  }),
  row('GET /api/v1/watches', agents(200)),
  // Nothing was published here, so there is nothing to watch.
  row('POST /api/v1/watches', agents(404), {
    json: { kind: 'tool', target: 'acme-mail', url: 'https://hooks.example/news' },
  }),
  row('DELETE /api/v1/watches/:id', agents(404), { thing: async () => 'wat_nothing' }),
  row('POST /api/v1/notifications', agents(200), { json: { title: 'Hello', body: 'There.' } }),
  row('POST /api/v1/questions', agents(200), { json: ask }),
  row('GET /api/v1/questions', agents(200)),
  row('GET /api/v1/questions/:id', agents(200), of('ended')),
  row('GET /api/v1/questions/:id/delivery', { ...agents(200), elsewhere: 404 }, of('ended')),
  // Who may withdraw an open one is tried in withdrawals.slow.test.ts; how one ended is told to any token.
  row('POST /api/v1/questions/:id/cancel', agents(200), of('ended', { json: {} })),
  // Whose permit is whose is tried in permits.test.ts.
  ...['/api/v1/questions/:id/permit', '/api/v1/permits/:id/consume'].map((path) =>
    row(`POST ${path}`, agents(404), { ...NO_PERMIT, json: { actionHash: 'a'.repeat(64) } }),
  ),
  row('POST /api/v1/permits/:id/outcome', agents(404), {
    ...NO_PERMIT,
    json: { outcome: 'succeeded' },
  }),
  // Whose receipt is whose is tried in receipts.slow.test.ts; this question was withdrawn.
  row(
    'GET /api/v1/receipts/:id',
    { ...seen(409), agent: 409, test: 404, elsewhere: 404 },
    of('ended'),
  ),
  row('GET /api/v1/receipts/key', everyone(200)),
  row('POST /api/v1/scopes', agents(200), {
    json: { doneWhen: 'Green.', allowedPaths: ['src/**'], sessionId: 's', timeoutMs: 1_000 },
  }),
  row('GET /api/v1/agent', agents(200)),
  row('GET /api/v1/scopes/:session', agents(404), { thing: async () => 'nothing-agreed' }),
  row('POST /api/v1/hooks/:client', agents(200), {
    thing: async () => 'claude',
    json: { event: 'heartbeat', sessionId: 's' },
  }),
  row('POST /api/v1/sessions/presence', agents(204), { json: { machineId: 'm' } }),
  row('POST /api/v1/turns/:client', agents(200), {
    thing: async () => 'claude',
    json: { event: 'began', sessionId: 's', machineId: 'm' },
  }),
  row('POST /api/v1/gates/:name/tools', agents(200), {
    thing: async () => 'fs',
    json: { server: '["fs"]', tools: [] },
  }),
  // Which of them a gate is made for is tried in test/ask/gates/register-upstream.test.ts.
  row('POST /api/v1/gates/:name/server', agents(409), {
    thing: async () => 'fs',
    json: { url: 'https://nothing.invalid/mcp' },
  }),
  row('POST /api/v1/gates/:name/calls', agents(200), {
    thing: async () => 'fs',
    json: {
      server: '["fs"]',
      tool: 'read',
      fingerprint: null,
      argumentsHash: 'a'.repeat(64),
      arguments: 'none',
      action: 'mcp__fs__read {}',
      holdMs: 1_000,
      timeoutMs: 1_000,
    },
  }),
  row('POST /api/v1/instructions/collect', agents(200), {
    json: { machineId: 'm', sessionIds: ['s'] },
  }),
]

const FOR_PEOPLE = [
  row('GET /api/v1/inbox', people(200)),
  // With a token it is for test traffic alone, and this question is none.
  row(
    'POST /api/v1/questions/:id/answer',
    { ...seen(200), agent: 403, test: 403, elsewhere: 404 },
    of('question', { json: { value: 'yes' } }),
  ),
  // No rule says who decides it.
  row(
    'GET /api/v1/questions/:id/approval',
    { ...people(404), agent: 404, test: 404, elsewhere: 404 },
    of('question'),
  ),
  row('POST /api/v1/questions/:id/claim', seen(403), of('question')),
  row('DELETE /api/v1/questions/:id/claim', people(404), of('question')),
  row('DELETE /api/v1/questions/:id/vote', people(404), of('question')),
  row('GET /api/v1/questions/:id/watching', seen(200), of('question')),
  row('POST /api/v1/questions/:id/stop', seen(200), of('question')),
  row('POST /api/v1/questions/:id/hand-over', seen(200), of('question')),
  row(
    'POST /api/v1/questions/:id/snooze',
    seen(200),
    of('question', { json: { for: '5_minutes' } }),
  ),
  row('DELETE /api/v1/questions/:id/snooze', seen(204), of('question')),
  row('GET /api/v1/grants', people(200)),
  row('DELETE /api/v1/grants/:id', seen(204), of('grant')),
  row('GET /api/v1/activity', people(200)),
  row('GET /api/v1/audit', people(200)),
  row('GET /api/v1/deliveries/:id', seen(200), of('question')),
  row('GET /api/v1/members', people(200)),
  row('PATCH /api/v1/members/:id', ownersOfIt(200), of('colleague', { json: { role: 'owner' } })),
  row('GET /api/v1/events', people(200)),
  row('HEAD /api/v1/events', people(200)),
  row('POST /api/v1/visible-pages', people(204), { json: { page: 'p1', visible: false } }),
  row('GET /api/v1/sessions', people(200)),
  row('POST /api/v1/sessions/:id/resume', seen(204), of('session')),
  row('GET /api/v1/sessions/:id/instructions', people(200), of('session')),
  row('POST /api/v1/sessions/:id/instructions', seen(201), of('turn', { json: { text: 'go' } })),
  row('POST /api/v1/instructions/:id/withdraw', people(404), NO_PERMIT),
  row('GET /api/v1/push-key', people(200)),
  row('GET /api/v1/subscribers', people(200)),
  row('POST /api/v1/subscribers', people(201), { json: device }),
  row('PATCH /api/v1/subscribers/:id', ownersOfIt(200), of('device', { json: { tags: ['a'] } })),
  row('DELETE /api/v1/subscribers/:id', ownersOfIt(204), of('device')),
  row('POST /api/v1/subscribers/:id/test', ownersOfIt(200), of('device')),
  row('GET /api/v1/keys', people(200)),
  row('POST /api/v1/keys', people(201), { json: { name: 'new' } }),
  row('PATCH /api/v1/keys/:id', ownersOfIt(422), of('token', { json: { owner: 'nobody' } })),
  row('DELETE /api/v1/keys/:id', ownersOfIt(204), of('token')),
  row('GET /api/v1/policy', people(200)),
  row('PATCH /api/v1/policy', owners(200), { json: { graceMs: 0 } }),
  row('GET /api/v1/policy/file', { ...owners(200), policy: 200 }),
  ...['update', 'lint', 'diff', 'try'].map((act) =>
    row(
      `POST /api/v1/policy/file/${act}`,
      { ...owners(200), policy: 200, unproven: 200 },
      { json: { text: 'beckon: policy/1' } },
    ),
  ),
  row(
    'POST /api/v1/policy/file/apply',
    { ...owners(409), policy: 409, policyReader: 403 },
    { json: { text: 'beckon: policy/1' } },
  ),
  row('POST /api/v1/policy/file/release', { ...owners(409), policy: 409, policyReader: 403 }),
  row('GET /api/v1/rules', people(200)),
  row('POST /api/v1/rules', owners(201), { json: rule }),
  row('PATCH /api/v1/rules/:id', ownersOfIt(200), of('rule', { json: rule })),
  row('DELETE /api/v1/rules/:id', ownersOfIt(204), of('rule')),
  row('GET /api/v1/quiet-hours', people(200)),
  row('PATCH /api/v1/quiet-hours', people(200), { json: { quietHours: null } }),
  row('GET /api/v1/chat-accounts', people(200)),
  row('DELETE /api/v1/chat-accounts/:service/:account', people(404), { thing: nothing }),
  row('GET /api/v1/groups', people(200)),
  row('POST /api/v1/groups', owners(422), { json: { name: 'a@b' } }),
  row('GET /api/v1/groups/:id', ours(200), of('group')),
  row('PATCH /api/v1/groups/:id', ownersOfIt(422), of('group', { json: { people: ['x'] } })),
  row('DELETE /api/v1/groups/:id', ownersOfIt(204), of('group')),
  row('GET /api/v1/rotas', people(200)),
  row('POST /api/v1/rotas', owners(422), { json: { name: 'x', zone: 'UTC' } }),
  row('GET /api/v1/rotas/:id', ours(200), of('rota')),
  row('PATCH /api/v1/rotas/:id', ownersOfIt(200), of('rota', { json: { zone: 'UTC' } })),
  row('DELETE /api/v1/rotas/:id', ownersOfIt(204), of('rota')),
  row('POST /api/v1/rotas/:id/overrides', ownersOfIt(422), of('rota', { json: override })),
  row('DELETE /api/v1/rotas/:id/overrides/:override', owners(404), of('rota')),
  // Without a name; also agents ask it.
  row('GET /api/v1/on-call', { ...people(422), agent: 422, test: 422, elsewhere: 422 }),
  row('GET /api/v1/switches', people(200)),
  row('PATCH /api/v1/switches', people(200), { json: {} }),
  row('GET /api/v1/health', owners(200)),
  row('GET /api/v1/callback-secret', owners(200)),
  row('POST /api/v1/callback-secret/rotate', owners(200)),
  row('GET /api/v1/callbacks', owners(200)),
  row('POST /api/v1/callbacks/:id/redeliver', ownersOfIt(200), of('callback')),
]

const FOR_DEVICES = [
  row('POST /api/v1/subscribers/:id/shown', everyone(403), of('device', { json: { key: 'x' } })),
  row('POST /api/v1/subscribers/:id/opened', everyone(403), of('device', { json: { key: 'x' } })),
  row(
    'POST /api/v1/subscribers/:id/look',
    everyone(403),
    of('device', { json: { key: 'x', permission: 'denied' } }),
  ),
  row(
    'POST /api/v1/subscribers/:id/renew',
    everyone(403),
    of('device', { json: { key: 'x', endpoint: device.endpoint, keys: device.keys } }),
  ),
]

const PAGES = [
  row('GET /', page(people(200))),
  row('GET /inbox', page(people(200))),
  row('GET /inbox/together', everyone(303)),
  row('POST /inbox/together', page(people(422)), { form: { value: 'no' } }),
  row('GET /d/:id', page(seen(200)), of('question')),
  row('GET /d/:id/answer', everyone(303), of('question')),
  row('POST /d/:id/answer', page(seen(303)), of('question', { form: { value: 'yes' } })),
  row('GET /d/:id/scope', everyone(303), of('question')),
  row('POST /d/:id/scope', page(seen(200)), of('question', { form })),
  row('GET /d/:id/stop', everyone(303), of('question')),
  row('POST /d/:id/stop', page(seen(303)), of('question', { form })),
  row('GET /n/:id', page(seen(200)), of('notification')),
  row('GET /n/:id/go', everyone(303), of('notification')),
  row('GET /activity', page(people(200))),
  row('GET /audit', page(people(200))),
  row('GET /sessions', page(people(200))),
  row('GET /repositories', page(people(200))),
  row('GET /live/:id', page(seen(200)), of('session')),
  row('GET /live/:id/resume', everyone(303), of('session')),
  row('POST /live/:id/resume', page(seen(303)), of('session', { form })),
  row('GET /live/:id/next', everyone(303), of('session')),
  row('POST /live/:id/next', page(seen(303)), of('turn', { form: { text: 'go' } })),
  row('GET /live/:id/next/withdraw', everyone(303), of('session')),
  row('POST /live/:id/next/withdraw', page(people(404)), of('turn', { form: { id: 'ins_0' } })),
  row('GET /live/:id/next/settings', everyone(303), of('session')),
  row('POST /live/:id/next/settings', page(seen(303)), of('turn', { form: { replies: 'Go' } })),
  row('GET /settings', page(people(200))),
  row('GET /settings/tokens', page(people(200))),
  row('POST /', page(people(200)), { form: { step: 'agent' } }),
  row('POST /settings/tokens', page(people(200)), { form: { name: 'new' } }),
  row('POST /settings/tokens/:id/revoke', page(ownersOfIt(303)), of('token', { form })),
  row('POST /settings/tokens/:id/empty', page(ownersOfIt(303)), of('token', { form })),
  row('GET /settings/tokens/:id/owner', page(ownersOfIt(200)), of('token')),
  row('POST /settings/tokens/:id/owner', page(ownersOfIt(422)), of('token', { form })),
  row('GET /settings/devices', page(people(200))),
  row('GET /settings/devices/add', page(people(200))),
  row('GET /settings/devices/this', page(people(200))),
  row('GET /settings/devices/topics', everyone(303)),
  row('POST /settings/devices/topics', page(people(303)), {
    form: {
      // A topic is whose it was first: another one for each caller.
      get address() {
        return `https://ntfy.sh/who-may-do-what-${++topics}`
      },
    },
  }),
  row('POST /settings/devices/:id/change', page(ownersOfIt(303)), of('device', { form })),
  row('POST /settings/devices/:id/test', page(ownersOfIt(200)), of('device', { form })),
  row('POST /settings/devices/:id/remove', page(ownersOfIt(303)), of('device', { form })),
  row('GET /settings/visibility', page(people(200))),
  row('POST /settings/visibility', page(owners(303)), { form: { visibility: 'group' } }),
  row('GET /settings/protect', page(people(200))),
  row('POST /settings/protect', page(owners(303)), { form: { need: '1' } }),
  row('GET /settings/undo', page(people(200))),
  row('POST /settings/undo', page(people(303)), { form: { undo: 'on' } }),
  row('GET /settings/notifications', page(people(200))),
  row('POST /settings/notifications', page(people(303)), { form }),
  row('GET /settings/people', page(people(200))),
  row('GET /settings/people/:id/role', everyone(303), of('colleague')),
  row(
    'POST /settings/people/:id/role',
    page(ownersOfIt(303)),
    of('colleague', { form: { role: 'owner' } }),
  ),
  row('POST /settings/people', page(owners(422)), { form: { email: 'nobody', role: 'member' } }),
  row('GET /settings/people/:id/invite', everyone(303), of('colleague')),
  row('POST /settings/people/:id/invite', page(ownersOfIt(200)), of('colleague', { form })),
  row('GET /settings/people/:id/off', everyone(303), of('colleague')),
  row('POST /settings/people/:id/off', page(ownersOfIt(303)), of('colleague', { form })),
  row('GET /settings/people/:id/on', everyone(303), of('colleague')),
  row('POST /settings/people/:id/on', page(ownersOfIt(303)), of('colleague', { form })),
  row('GET /settings/people/:id/remove', page(ownersOfIt(200)), of('colleague')),
  row('POST /settings/people/:id/remove', page(ownersOfIt(303)), of('colleague', { form })),
  row('GET /settings/pair', page(people(200))),
  row('POST /settings/pair', page(people(200)), { form }),
  // A pairing is nobody's but that of who began it: here, the owner.
  row(
    'GET /settings/pair/:id',
    page({ ...ours(200), member: 404, outsider: 404, unproven: 404 }),
    of('pairing'),
  ),
  row('GET /settings/pair/:id/cancel', everyone(303), of('pairing')),
  row(
    'POST /settings/pair/:id/cancel',
    page({ ...ours(303), member: 404, outsider: 404 }),
    of('pairing', { form }),
  ),
  row('GET /settings/policy', page(people(200))),
  row('POST /settings/policy', page(owners(303)), { form: policyForm }),
  row('GET /settings/policy/file', page(owners(200))),
  row('GET /settings/policy/file/release', everyone(303)),
  row('GET /settings/policy/file/tokens', everyone(303)),
  row('POST /settings/policy/file/tokens', page(owners(200)), { form: { name: 'ci' } }),
  row('GET /settings/policy/file/tokens/revoke', everyone(303)),
  row('POST /settings/policy/file/tokens/revoke', page(owners(404)), { form: { token: 'x' } }),
  row('POST /settings/policy/file/release', page(owners(409)), { form: {} }),
  row('GET /settings/policy/preset', everyone(303)),
  row('POST /settings/policy/preset', page(owners(303)), { form: { preset: 'devices_first' } }),
  row('GET /settings/policy/programs', everyone(303)),
  row('POST /settings/policy/programs', page(owners(303)), {
    form: { name: 'lex', kind: 'project' },
  }),
  row('GET /settings/policy/programs/remove', everyone(303)),
  row('POST /settings/policy/programs/remove', page(owners(404)), { form: { name: 'other' } }),
  row('GET /d/:id/vote', everyone(303), of('question')),
  row('POST /d/:id/vote', page(seen(303)), of('question', { form })),
  row('GET /settings/watches', page(people(200))),
  row('POST /settings/watches', page(people(422)), { form: { kind: 'tool', target: 'x' } }),
  row('GET /settings/watches/resume', everyone(303)),
  row('POST /settings/watches/resume', page(people(303)), { form: {} }),
  row('GET /settings/watches/:id/remove', everyone(303), { thing: async () => 'wat_nothing' }),
  row('POST /settings/watches/:id/remove', page(people(404)), {
    thing: async () => 'wat_nothing',
    form: {},
  }),
  row('GET /d/:id/claim', everyone(303), of('question')),
  // No rule says who decides it.
  row('POST /d/:id/claim', page(seen(422)), of('question', { form })),
  row('GET /settings/groups', page(people(200))),
  row('POST /settings/groups', page(owners(422)), { form }),
  row('GET /settings/groups/:id', page(ours(200)), of('group')),
  row('POST /settings/groups/:id', page(ownersOfIt(422)), of('group', { form })),
  row('GET /settings/groups/:id/remove', everyone(303), of('group')),
  row('POST /settings/groups/:id/remove', page(ownersOfIt(303)), of('group', { form })),
  row('GET /settings/rotas', page(people(200))),
  row('POST /settings/rotas', page(owners(422)), { form }),
  row('GET /settings/rotas/:id', page(ours(200)), of('rota')),
  row('POST /settings/rotas/:id', page(ownersOfIt(422)), of('rota', { form })),
  row('GET /settings/rotas/:id/overrides', everyone(303), of('rota')),
  row('POST /settings/rotas/:id/overrides', page(ownersOfIt(422)), of('rota', { form })),
  row('GET /settings/rotas/:id/overrides/remove', everyone(303), of('rota')),
  row('POST /settings/rotas/:id/overrides/remove', page(owners(404)), of('rota', { form })),
  row('GET /settings/rotas/:id/remove', everyone(303), of('rota')),
  row('POST /settings/rotas/:id/remove', page(ownersOfIt(303)), of('rota', { form })),
  row('GET /settings/gates', page(people(200))),
  row('GET /settings/gates/:id', page(ours(200)), of('gate')),
  row('GET /settings/gates/:id/tool', page(ours(404)), of('gate')),
  row('GET /settings/gates/:id/confirm', everyone(303), of('gate')),
  row('POST /settings/gates/:id/confirm', page(ownersOfIt(303)), of('gate', { form })),
  row('GET /settings/gates/:id/remove', everyone(303), of('gate')),
  row('POST /settings/gates/:id/remove', page(ownersOfIt(303)), of('gate', { form })),
  row('GET /settings/gate-servers', everyone(303)),
  row('POST /settings/gate-servers', page(owners(303)), {
    form: { name: 'crm', url: 'https://mcp.example/mcp' },
  }),
  row('GET /settings/gate-servers/remove', everyone(303)),
  row('POST /settings/gate-servers/remove', page(owners(404)), { form: { name: 'none' } }),
  row('GET /settings/rules', page(people(200))),
  row('GET /settings/rules/new', page(owners(200))),
  row('POST /settings/rules/new', page(owners(303)), { form: ruleForm }),
  row('GET /settings/rules/:id', page(ownersOfIt(200)), of('rule')),
  row('GET /settings/allowed', page(people(200))),
  row('GET /settings/allowed/:id/revoke', everyone(303), of('grant')),
  row('POST /settings/allowed/:id/revoke', page(seen(303)), of('grant', { form })),
  row('GET /d/:id/undo', everyone(303), of('question')),
  // Nothing is held.
  row('POST /d/:id/undo', page(seen(422)), of('question', { form })),
  row('GET /d/:id/snooze', everyone(303), of('question')),
  row('POST /d/:id/snooze', page(seen(303)), of('question', { form: { for: '5_minutes' } })),
  row('GET /d/:id/terminal', everyone(303), of('question')),
  row('POST /d/:id/terminal', page(seen(303)), of('question', { form })),
  row('POST /settings/rules/:id', page(ownersOfIt(303)), of('rule', { form: ruleForm })),
  row('GET /settings/rules/:id/remove', everyone(303), of('rule')),
  row('POST /settings/rules/:id/remove', page(ownersOfIt(303)), of('rule', { form })),
  row('GET /settings/health', page(owners(200))),
  row('GET /settings/health/clock', everyone(303)),
  row('POST /settings/health/clock', page(owners(303)), { form }),
  row('GET /settings/telegram', page(everyone(200))),
  row('POST /settings/telegram', page(owners(422)), { form }),
  row('GET /settings/telegram/connect', everyone(303)),
  row('POST /settings/telegram/connect', page(everyone(200)), { form }),
  row('GET /settings/telegram/answer', everyone(303)),
  row('POST /settings/telegram/answer', page(everyone(404)), { form }),
  row('GET /settings/chat-accounts', page(everyone(200))),
  row('GET /settings/chat-accounts/link/:code', page(everyone(410)), { thing: nothing }),
  row('POST /settings/chat-accounts/link/:code', page(everyone(410)), { thing: nothing, form }),
  row('GET /settings/chat-accounts/remove', everyone(303)),
  row('POST /settings/chat-accounts/remove', page(everyone(404)), { form }),
  row('GET /settings/telegram/forget', everyone(303)),
  row('POST /settings/telegram/forget', page(owners(303)), { form }),
  row('GET /settings/slack', page(owners(200))),
  row('POST /settings/slack', page(owners(422)), { form }),
  row('GET /settings/slack/channels', everyone(303)),
  row('POST /settings/slack/channels', page(owners(422)), { form }),
  row('GET /settings/slack/forget', everyone(303)),
  row('POST /settings/slack/forget', page(owners(303)), { form }),
  row('GET /settings/callbacks', page(owners(200))),
  row('GET /settings/callbacks/secret', everyone(303)),
  row('POST /settings/callbacks/secret', page(owners(200)), { form }),
  row('GET /settings/callbacks/rotate', everyone(303)),
  row('POST /settings/callbacks/rotate', page(owners(303)), { form }),
  row('POST /settings/callbacks/:id/redeliver', page(ownersOfIt(303)), of('callback', { form })),
]

const LINKS = [
  // Whoever holds a link is believed, and a session adds nothing.
  row('GET /watches/stop/:token', everyone(404), { thing: async () => 'nothing' }),
  row('POST /watches/stop/:token', everyone(404), { thing: async () => 'nothing', form: {} }),
  row('GET /a/:token', everyone(200), of('link')),
  row('POST /a/:token', everyone(200), of('link', { form: { value: 'yes' } })),
  row('GET /pair/:code', everyone(200), of('code')),
  row('POST /pair/:code', everyone(303), of('code', { form })),
]

const FOR_EVERYONE = [
  row('POST /settings/theme', everyone(303), { form: { theme: 'dark' } }),
  row('GET /offline', everyone(200)),
  row('GET /manifest.webmanifest', everyone(200)),
  row('GET /sw.js', everyone(200)),
  row('GET /favicon.ico', everyone(303)),
  row('GET /assets/:file', everyone(404), { thing: async () => 'no-such-file.css' }),
  row('GET /readyz', everyone(200)),
  // Beside tokens the machine itself; here a proxy says that everybody is elsewhere.
  row('GET /metrics', agents(200)),
  // Slack shows itself by a signature.
  row('POST /slack/interactions', everyone(403), { form: { payload: '{}' } }),
  row('GET /readyz/mirror', everyone(401)),
]

// The catalog is for everybody, and nobody's session means anything to it.
export const CATALOG: readonly Row[] = [
  row('ALL /api/mcp/catalog', everyone(200), { json: { jsonrpc: '2.0', id: 1, method: 'ping' } }),
  row('GET /api/v1', everyone(308)),
  row('GET /api/v1/index.json', everyone(200)),
  row('GET /api/v1/tools.json', everyone(200)),
  row('GET /api/v1/tools/:file', everyone(404), { thing: async () => 'nothing.json' }),
  row('GET /api/v1/tools/:slug/history.json', everyone(404), { thing: async () => 'nothing' }),
  row('GET /api/v1/x402.json', everyone(200)),
  row('GET /api/v1/checks.json', everyone(200)),
  row('GET /api/v1/checks/:file', everyone(404), { thing: async () => 'nothing.json' }),
  row('GET /api/v1/changes.json', everyone(200)),
  row('GET /api/v1/news.json', everyone(200)),
  row('GET /tools.png', everyone(200)),
  row('GET /categories/:file', everyone(404), { thing: async () => 'nothing.atom' }),
  row('GET /capabilities/:file', everyone(404), { thing: async () => 'nothing.atom' }),
  row('GET /api/v1/search.json', everyone(200)),
  row('GET /api/v1/live.json', everyone(200)),
  row('GET /api/v1/categories.json', everyone(200)),
  row('GET /api/v1/capabilities.json', everyone(200)),
  row('GET /api/v1/methodology.json', everyone(200)),
  row('GET /v0.1/servers', everyone(200)),
  ...['versions', 'versions/:version'].map((rest) =>
    row(`GET /v0.1/servers/:serverName/${rest}`, everyone(404), { thing: async () => 'nobody' }),
  ),
  ...['manifest.json', 'manifest.jws.json', 'revisions.json', 'snapshot.tar.gz'].map((file) =>
    row(`GET /api/v1/${file}`, everyone(200)),
  ),
  ...['catalog.sqlite', 'catalog.sqlite.minisig'].map((file) =>
    row(`GET /api/v1/${file}`, everyone(200)),
  ),
  row('GET /.well-known/catalog-minisign.pub', everyone(200)),
  row('GET /api/v1/blobs/sha256/:sha256', everyone(404), { thing: async () => '0'.repeat(64) }),
  row('GET /.well-known/catalog-keys.json', everyone(200)),
  // Until it mirrors another catalog.
  row('GET /api/v1/mirror.json', everyone(404)),
  row('GET /tools/:file', everyone(404), { thing: async () => 'nothing.json' }),
  row('GET /models', everyone(200)),
  row('GET /history/:slug', everyone(404), { thing: async () => 'nothing' }),
  ...['sunsets.ics', 'changes.atom', 'changes.feed.json', 'llms.txt', 'llms-full.txt'].map((file) =>
    row(`GET /${file}`, everyone(200)),
  ),
  ...['sitemap.xml', 'robots.txt', 'policy.schema.json'].map((file) =>
    row(`GET /${file}`, everyone(200)),
  ),
  row('GET /discovery/resources', everyone(200)),
  row('GET /discovery/search', everyone(200)),
  row('GET /.well-known/api-catalog', everyone(200)),
  // Describes the questions too, and is sent as every feed is.
  row('GET /openapi.json', everyone(200)),
  row('OPTIONS /openapi.json', everyone(204)),
  // Nothing was published here, so no contact either.
  row('GET /.well-known/security.txt', everyone(404)),
  ...['tools', 'compare', 'x402', 'changes', 'methodology'].map((page) =>
    row(`GET /${page}`, everyone(200)),
  ),
  row('GET /tools/page/:number', everyone(404), { thing: async () => '2' }),
  row('GET /tools-assets/:file', everyone(404), { thing: async () => 'no-such-file.css' }),
]

/** Every route, and what each caller is told. */
export const ROWS: readonly Row[] = [
  ...FOR_AGENTS,
  ...FOR_PEOPLE,
  ...FOR_DEVICES,
  ...PAGES,
  ...LINKS,
  ...SIGNING_IN,
  ...FOR_EVERYONE,
  ...CATALOG,
]

export const JSON_BODY = {
  'content-type': 'application/json',
  accept: 'application/json, text/event-stream',
}

export function methodAndPath({ route }: Row) {
  const [method = '', path = ''] = route.split(' ')
  return { method: method === 'ALL' ? 'POST' : method, path }
}

export function bodyOf({ json, form }: Row) {
  if (json !== undefined) return { headers: JSON_BODY, text: JSON.stringify(json) }
  if (form) return { headers: FORM, text: new URLSearchParams(form).toString() }
  return { headers: {}, text: undefined }
}
