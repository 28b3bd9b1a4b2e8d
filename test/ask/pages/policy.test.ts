import { describe, expect, test } from 'bun:test'
import { addRule, setPolicy } from '../../../src/ask/policy/change-policy.ts'
import { DEFAULT_POLICY } from '../../../src/ask/policy/model/policy.ts'
import { insertRule, listRules, readPolicy } from '../../../src/ask/policy/model/store.ts'
import { recordPresence } from '../../../src/ask/sessions/model/store.ts'
import { saveSubscriber } from '../../../src/ask/subscribers/model/store.ts'
import { systemClock } from '../../../src/platform/clock.ts'
import { aDevice } from '../../support/devices.ts'
import { type PageWorld, pageWorld } from '../../support/page-world.ts'

const FORM = {
  mode: 'push_only',
  wait: '50',
  grace: '1,5',
  presence: '120',
  pause: '0',
  quiet: 'yes',
  from: '22:30',
  to: '07:00',
  zone: 'Europe/Berlin',
  tags: ' work, phone,work ,',
}

const text = async (world: PageWorld, path: string) => (await world.get(path)).text()
const clock = systemClock

describe('the policy', () => {
  test('the policy is what the form says, and the page shows it again', async () => {
    await using world = await pageWorld()
    const response = await world.post('/settings/policy', FORM)
    expect([response.status, response.headers.get('location')]).toEqual([
      303,
      '/settings/policy?saved',
    ])
    expect(await readPolicy(world.db.read, world.workspaceId)).toEqual({
      deliveryMode: 'push_only',
      waitMs: 50_000,
      graceMs: 1_500,
      presenceMs: 120_000,
      pauseAfterUnanswered: 0,
      quietHours: { from: '22:30', to: '07:00', zone: 'Europe/Berlin' },
      targeting: { tags: ['work', 'phone'] },
      failoverMs: 0,
      failoverTo: [],
      longLifeMs: 8 * 60 * 60_000,
      holdMs: 0,
      remindMs: 0,
      turnMs: 120_000,
      chatAnswers: 'anybody',
      programs: [],
    })
    const page = await text(world, '/settings/policy?saved')
    expect(page).toContain('It applies from the next question on.')
    for (const value of ['50 s', '1.5 s', '2 min', '22:30', 'Europe/Berlin', 'work, phone']) {
      if (value !== '') expect(page).toContain(`value="${value}"`)
    }
    expect(page).toMatch(/value="push_only" checked/)
    await world.post('/settings/policy', { ...FORM, quiet: '', tags: '' })
    const after = await readPolicy(world.db.read, world.workspaceId)
    expect([after.quietHours, after.targeting]).toEqual([null, {}])
  })

  const wrong: Array<[string, string]> = [
    ['mode', 'shout'],
    ['wait', '0.5'],
    ['wait', '56'],
    ['wait', ''],
    ['wait', 'soon'],
    ['grace', '-1'],
    ['presence', '3601'],
    ['pause', '2.5'],
    ['pause', ''],
    ['from', '25:00'],
    ['to', '22:30'],
    ['zone', 'Mars/Base'],
    ['tags', 'x'.repeat(65)],
  ]
  test.each(wrong)(
    'a wrong %s, %p, is named; nothing typed is lost and nothing is saved',
    async (name, value) => {
      await using world = await pageWorld()
      const response = await world.post('/settings/policy', { ...FORM, [name]: value })
      const page = await response.text()
      expect(response.status).toBe(422)
      expect(page).toContain('Nothing was saved.')
      expect(page).toContain(`<a href="#${name}">`)
      expect(page).toContain(`id="${name}-wrong"`)
      if (name !== 'mode' && value !== '') expect(page).toContain(`value="${value}"`)
      for (const [other, typed] of Object.entries(FORM)) {
        if (other === name || other === 'mode' || other === 'quiet') continue
        expect(page).toContain(`value="${typed.trim()}"`)
      }
      expect(await readPolicy(world.db.read, world.workspaceId)).toEqual(DEFAULT_POLICY)
    },
  )

  test('a form without a field leaves its value', async () => {
    await using world = await pageWorld()
    await world.post('/settings/policy', { ...FORM, quiet: '' })
    const before = await readPolicy(world.db.read, world.workspaceId)
    expect((await world.post('/settings/policy', { grace: '2 s' })).status).toBe(303)
    const after = await readPolicy(world.db.read, world.workspaceId)
    expect(after).toEqual({ ...before, graceMs: 2_000 })
  })

  test('devices that were named over REST stay named', async () => {
    await using world = await pageWorld()
    const targeting = { subscriberIds: ['sub_1'], tags: ['old'] }
    await setPolicy({ db: world.db, clock }, world.workspaceId, { targeting })
    expect(await text(world, '/settings/policy')).toContain('1 more named one by one')
    await world.post('/settings/policy', FORM)
    const after = await readPolicy(world.db.read, world.workspaceId)
    expect(after.targeting).toEqual({ subscriberIds: ['sub_1'], tags: ['work', 'phone'] })
  })

  test('the time zone of the browser is offered', async () => {
    await using world = await pageWorld()
    const page = await world.get('/settings/policy', `${world.cookie}; zone=Asia%2FTokyo`)
    expect(await page.text()).toContain('<option value="Asia/Tokyo">')
  })
})

const RULE = {
  agentName: 'Codex',
  toolName: 'Bash',
  toolTarget: 'git push*',
  repoKey: 'shop',
  machineId: '',
  mode: 'push_only',
  wait: '50',
  grace: '',
  tags: '',
}

/** The words of a page without their tags. */
const words = (page: string) => page.replace(/<[^>]*>/g, '').replace(/\s+/g, ' ')

describe('the rules', () => {
  test('a rule is added, said in words, changed and removed', async () => {
    await using world = await pageWorld()
    const { db, workspaceId } = world
    expect(await text(world, '/settings/rules')).toContain('No exceptions yet')
    const response = await world.post('/settings/rules/new', RULE)
    const [rule] = await listRules(db.read, workspaceId)
    expect(response.headers.get('location')).toBe(`/settings/rules#rule-${rule?.id}`)
    expect(words(await text(world, '/settings/rules'))).toContain(
      'When Codex runs Bash on git push* in shop, ask on devices only and wait up to 50 s.',
    )
    const form = await text(world, `/settings/rules/${rule?.id}`)
    expect(form).toContain('value="git push*"')
    await world.post(`/settings/rules/${rule?.id}`, {
      ...RULE,
      agentName: '',
      mode: '',
      wait: '',
      grace: '0',
      tags: 'pocket',
    })
    const [changed] = await listRules(db.read, workspaceId)
    expect([changed?.match, changed?.set]).toEqual([
      { toolName: 'Bash', toolTarget: 'git push*', repoKey: 'shop' },
      { graceMs: 0, tags: ['pocket'] },
    ])
    expect(words(await text(world, '/settings/rules'))).toContain(
      'When an agent runs Bash on git push* in shop, ring phones at once and use devices tagged pocket.',
    )
    await world.post(`/settings/rules/${rule?.id}/remove`, {})
    expect(await listRules(db.read, workspaceId)).toEqual([])
  })

  const wrong: Array<[string, Record<string, string>]> = [
    ['agentName', { agentName: '', toolName: '', toolTarget: '', repoKey: '' }],
    ['mode', { mode: '', wait: '' }],
    ['mode', { mode: 'shout' }],
    ['wait', { wait: '99' }],
    ['grace', { grace: 'x' }],
    ['toolTarget', { toolTarget: 'x'.repeat(81) }],
    ['tags', { tags: 'x'.repeat(65) }],
  ]
  test.each(wrong)('a wrong %s is named; nothing typed is lost: %p', async (name, fields) => {
    await using world = await pageWorld()
    const response = await world.post('/settings/rules/new', { ...RULE, ...fields })
    const page = await response.text()
    expect(response.status).toBe(422)
    expect(page).toContain(`id="${name}-wrong"`)
    for (const [field, typed] of Object.entries({ ...RULE, ...fields })) {
      if (field !== 'mode' && typed !== '') expect(page).toContain(`value="${typed}"`)
    }
    expect(await listRules(world.db.read, world.workspaceId)).toEqual([])
  })

  test('the most specific stands first among the rules of a repository', async () => {
    await using world = await pageWorld()
    const add = (match: object) =>
      addRule({ db: world.db, clock }, world.workspaceId, { match, set: { waitMs: 5_000 } })
    await add({ repoKey: 'Repository-rule' })
    await add({ toolTarget: 'Prefix-rule*' })
    await add({ toolTarget: 'Exact-rule' })
    const page = await text(world, '/settings/rules')
    const places = ['Exact-rule', 'Prefix-rule*', 'Repository-rule']
    const at = places.map((name) => page.indexOf(name))
    expect(at.every((place) => place > 0)).toBe(true)
    expect(at).toEqual([...at].sort((a, b) => a - b))
  })

  test('a rule of another workspace is neither shown, changed nor removed', async () => {
    await using world = await pageWorld()
    const foreign = {
      id: 'rule_foreign',
      workspaceId: 'ws_other',
      match: { toolName: 'Foreign' },
      set: { waitMs: 5_000 },
      decision: undefined,
      createdAt: 1,
    } as const
    await world.db.write((tx) => insertRule(tx, foreign))
    expect(await text(world, '/settings/rules')).not.toContain('Foreign')
    expect((await world.get('/settings/rules/rule_foreign')).status).toBe(404)
    expect((await world.post('/settings/rules/rule_foreign', RULE)).status).toBe(404)
    expect((await world.post('/settings/rules/rule_foreign/remove', {})).status).toBe(404)
    expect(await listRules(world.db.read, 'ws_other')).toEqual([foreign])
  })

  test('a decision that was made over REST stays when the rest is changed', async () => {
    await using world = await pageWorld()
    const { id } = await addRule({ db: world.db, clock }, world.workspaceId, {
      match: { toolName: 'Read' },
      decision: 'allow',
    })
    expect(await text(world, '/settings/rules')).toContain('allow it without asking')
    await world.post(`/settings/rules/${id}`, { ...RULE, mode: '', wait: '' })
    const [rule] = await listRules(world.db.read, world.workspaceId)
    expect([rule?.decision, rule?.match.agentName]).toEqual(['allow', 'Codex'])
  })
})

describe('what would happen to a call', () => {
  const ask = async (world: PageWorld, fields: Record<string, string>, page = 'rules') =>
    words(await text(world, `/settings/${page}?${new URLSearchParams(fields)}`))
  const call = { asks: 'permission', toolName: 'Bash', toolTarget: 'git push origin' }

  async function devices({ db, workspaceId }: PageWorld) {
    await db.write(async (tx) => {
      const endpoint = (name: string) => `https://push.example/${name}`
      await saveSubscriber(
        tx,
        aDevice({ workspaceId, kind: 'phone', label: 'Pixel', endpoint: endpoint('p') }),
      )
      await saveSubscriber(
        tx,
        aDevice({ workspaceId, kind: 'browser', label: 'Firefox', endpoint: endpoint('f') }),
      )
    })
  }

  test('nobody is told without a device', async () => {
    await using world = await pageWorld()
    const page = await ask(world, call)
    expect(page).toContain('Nobody is notified: no device matches.')
    expect(page).toContain('The policy; no rule matches.')
  })

  test('the rule that decides is named, with who rings when', async () => {
    await using world = await pageWorld()
    await devices(world)
    await addRule({ db: world.db, clock }, world.workspaceId, {
      match: { toolTarget: 'git push*' },
      set: { deliveryMode: 'push_only', waitMs: 50_000, graceMs: 10_000 },
    })
    for (const page of ['rules', 'policy']) {
      const text = await ask(world, call, page)
      expect(text).toContain('You are asked, and the agent waits 50 s.')
      expect(text).toContain('Rings at onceFirefox')
      expect(text).toContain('Rings after 10 sPixel')
      expect(text).toContain('goes on waiting until the question ends')
      expect(text).toContain('Decided byWhen an agent acts on git push*, ask on devices only')
    }
    const other = await ask(world, { ...call, toolTarget: 'ls' })
    expect(other).toContain('waits 45 s')
    expect(other).toContain('The policy; no rule matches.')
  })

  test('a terminal in use lets the phone ring later', async () => {
    await using world = await pageWorld()
    await devices(world)
    const { db, workspaceId } = world
    await db.write((tx) => recordPresence(tx, workspaceId, 'm1', Date.now()))
    // Half of the 45 s that a call waits, less the second in which the outbox is looked through.
    expect(await ask(world, { ...call, machineId: 'm1' })).toContain(
      'Rings after 22 sPixel, because somebody was at a terminal',
    )
    expect(await ask(world, { ...call, machineId: 'm2' })).not.toContain('at a terminal')
  })

  test('quiet hours, tests and nameless permissions are sent to nobody', async () => {
    await using world = await pageWorld()
    await devices(world)
    const hours = { from: '00:00', to: '23:59', zone: 'UTC' }
    await setPolicy({ db: world.db, clock }, world.workspaceId, { quietHours: hours })
    expect(await ask(world, { ...call, test: 'yes' })).toContain('sent to nobody')
    expect(await ask(world, { asks: 'permission' })).toContain('neither a tool nor a session')
    expect(await ask(world, { asks: 'question' })).toContain('You are asked')
    const night = new Date().toISOString().slice(11, 16) === '23:59'
    if (!night) expect(await ask(world, call)).toContain('Quiet hours: nothing is sent.')
  })
})
