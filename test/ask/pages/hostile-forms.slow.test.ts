import { afterAll, beforeAll, expect, setDefaultTimeout, test } from 'bun:test'
import { fullHouse } from '../../support/full-house.ts'
import { hostileWords } from '../../support/hostile-corpus.ts'
import { skeletonOf } from '../../support/page-skeleton.ts'
import { type PageWorld, pageWorld } from '../../support/page-world.ts'

setDefaultTimeout(120_000)

type Field = { name: string; value: string; typed: boolean }
type Form = { action: string; fields: Field[] }

const TYPED = /^(text|email|url|search|tel|password|number|time)$/
// They end the sign-in, or begin another: as often as that may be tried, it is.
const ONCE = /^\/(sign-in|sign-out|setup|pair)/
const TRIES = 12

/** Every form of a page that is sent, with what it would send. */
async function formsOf(page: string, path: string): Promise<Form[]> {
  const forms: Form[] = []
  const add = (name: string | null, value: string | null, typed: boolean) => {
    if (name) forms.at(-1)?.fields.push({ name, value: value ?? '', typed })
  }
  const rewriter = new HTMLRewriter()
    .on('form', {
      element(form) {
        const isPost = form.getAttribute('method')?.toLowerCase() === 'post'
        const action = form.getAttribute('action') ?? path
        forms.push({ action: isPost ? action : '', fields: [] })
      },
    })
    .on('form input, form textarea, form select, form button', {
      element(field) {
        const type = field.tagName === 'textarea' ? 'text' : (field.getAttribute('type') ?? 'text')
        const isChoice = field.tagName === 'select' || /^(radio|checkbox)$/.test(type)
        if (field.tagName === 'button' && !field.getAttribute('name')) return
        add(field.getAttribute('name'), field.getAttribute('value'), !isChoice && TYPED.test(type))
      },
    })
  await rewriter.transform(new Response(page)).text()
  return forms.filter(({ action, fields }) => action && fields.some(({ typed }) => typed))
}

/** What stands on a page only once there is a Slack app, or no owner yet. */
const HIDDEN: Form[] = [
  { action: '/settings/slack/channels', fields: [typed('channel'), typed('label')] },
  { action: '/setup', fields: ['key', 'name', 'email', 'password'].map(typed) },
]

function typed(name: string): Field {
  return { name, value: '', typed: true }
}

/** Sent from inside of another form. */
function ofScope(paths: string[]): Form {
  // The last question of the house is a scope.
  const question = paths.findLast((path) => path.startsWith('/d/q_'))
  return {
    action: `${question}/scope`,
    fields: ['allowed', 'offLimits', 'note'].map(typed),
  }
}

let world: PageWorld
let forms: Form[]

beforeAll(async () => {
  world = await pageWorld()
  const paths = [...new Set(await fullHouse(world, 'Plain words'))]
  const byAction = new Map<string, Form>()
  for (const path of paths.filter((path) => path !== '/settings/health')) {
    const page = await (await world.get(path)).text()
    for (const form of await formsOf(page, path)) byAction.set(form.action, form)
  }
  const strange = await (await world.get('/sign-in', '')).text()
  for (const form of await formsOf(strange, '/sign-in')) byAction.set(form.action, form)
  forms = [...byAction.values(), ...HIDDEN, ofScope(paths)]
})
afterAll(() => world[Symbol.asyncDispose]())

// Of our own pages: files of ours alone, and no handler.
const OUTSIDE =
  /\bon\w+=|\b(?:src|srcset|action|formaction)=(?:elsewhere|[a-z]+:(?!image))|href=(?!elsewhere|\/|#|data:image)[^ \]]+|^(?:iframe|base|object|embed|style|template)\[|^script\[\]/m

test('what a form says back of what was typed into it is text', async () => {
  const wrong: string[] = []
  let n = 0
  let pages = 0
  for (const { action, fields } of forms) {
    for (let round = 0; round < (ONCE.test(action) ? 1 : TRIES); round++) {
      const words = hostileWords(round)
      const filled = fields.map(({ name, value, typed }) => [
        name,
        typed ? words(n++, 'text').slice(0, 2_000).toWellFormed() : value,
      ])
      const cookie = ONCE.test(action) ? { cookie: '' } : {}
      const response = await world.post(action, filled, cookie)
      const skeleton = await skeletonOf(await response.text(), world.url)
      if (response.status >= 500) wrong.push(`${action}: ${response.status}`)
      if (response.status !== 303) pages++
      const match = OUTSIDE.exec(skeleton)
      if (match)
        wrong.push(`${action}, round ${round}: ${skeleton.slice(match.index, match.index + 100)}`)
      const location = response.headers.get('location') ?? '/'
      if (!/^\/(?![/\\])/.test(location)) wrong.push(`${action} leads to ${location}`)
    }
  }
  expect(wrong).toEqual([])
  expect(pages).toBeGreaterThan(50)
})

test('the forms are those that can be typed into', () => {
  const kinds = forms.map(({ action }) => action.replace(/\b[a-z]+_\w+|\/a\/.*/g, ':id'))
  expect([...new Set(kinds)].toSorted()).toEqual([
    ...['/d/:id/answer', '/d/:id/scope', '/settings/clients'],
    '/settings/devices/:id/change',
    ...['/settings/devices/topics', '/settings/directory', '/settings/gate-servers'],
    ...['/settings/groups', '/settings/groups/:id', '/settings/notifications'],
    ...['/settings/password', '/settings/people'],
    '/settings/policy',
    '/settings/policy/file/tokens',
    '/settings/policy/programs',
    '/settings/protect',
    ...['/settings/rotas', '/settings/rotas/:id', '/settings/rotas/:id/overrides'],
    ...[
      '/settings/rules/:id',
      '/settings/rules/new',
      '/settings/sign-in/new',
      '/settings/slack',
      '/settings/slack/channels',
    ],
    ...['/settings/telegram', '/settings/tokens', '/setup', '/sign-in', ':id'],
  ])
})
