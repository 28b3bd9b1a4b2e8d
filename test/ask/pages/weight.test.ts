import { afterAll, beforeAll, expect, test } from 'bun:test'
import { putTallies } from '../../../src/ask/questions/model/tally-store.ts'
import { countUnanswered } from '../../../src/ask/sessions/model/store.ts'
import { type PageWorld, pageWorld } from '../../support/page-world.ts'
import { pagesToVisit } from '../../support/pages-to-visit.ts'

// A page with everything, compressed; each has up to 255 random characters more.
const PAGE_MAX_BYTES = 41 * 1024

let world: PageWorld
beforeAll(async () => {
  world = await pageWorld()
})
afterAll(() => world[Symbol.asyncDispose]())

/** What is sent of it to a browser that can unpack everything. */
async function packed(path: string): Promise<number> {
  const headers = {
    ...{ cookie: world.cookie, 'accept-encoding': 'br, gzip' },
    'sec-fetch-site': 'same-origin',
  }
  const response = await fetch(world.url + path, { headers, decompress: false } as RequestInit)
  const bytes = new Uint8Array(await response.arrayBuffer())
  return bytes.length
}

/** Thirty busy days, in the workspace and one repository. */
async function fillDays({ db, workspaceId }: PageWorld) {
  const rows = Array.from({ length: 30 }, (_, i) => ({
    workspaceId,
    at: Date.now() - (i + 1) * 86_400_000,
    ...{ byPerson: i ** 3 % 97, byRule: i ** 2 % 31, unanswered: i % 5, withdrawn: i % 7 },
    times: { [(i * 7) % 60]: 5, [60 - ((i * 5) % 30)]: 2 },
  }))
  const both = rows.flatMap((row) => [
    { ...row, repoKey: '' },
    { ...row, repoKey: 'shop' },
  ])
  await db.write((tx) => putTallies(tx, workspaceId, both, Date.now() - 900_000))
}

function filesOf(page: string): string[] {
  return [...page.matchAll(/(?:src|href)="(\/assets\/[^"]+\.(?:js|css|svg))"/g)].map(
    ([, file]) => file ?? '',
  )
}

test('every page stays under 41 KB compressed with everything it loads', async () => {
  const actionBody = Array.from({ length: 60 }, (_, i) => `+const line${i} = ${i ** 3}`).join('\n')
  const id = await world.ask({ detail: { actionBody, action: 'git apply', context: 'All fine.' } })
  const session = await world.work()
  for (let i = 0; i < 30; i++) {
    const branch = `feature/${i ** 3}`
    await world.work({
      sessionId: `s${i}`,
      lastAction: `npm run build ${i ** 3}`,
      branch,
      repoKey: 'shop',
    })
    await world.tell({ machineId: 'm1', sessionId: 's1', title: `Step ${i ** 3} is done` })
  }
  const paths = [
    ...[`/d/${id}`, `/live/${session}`, '/', '/inbox', '/sessions', '/activity', '/settings'],
    ...['/settings/devices', '/settings/policy?asks=permission', '/settings/rules?asks=question'],
    '/settings/rules/new',
    ...['/repositories', '/repositories?repoKey=shop', '/settings/health'],
    ...['/settings/notifications', '/settings/people', '/settings/password'],
    '/settings/passkeys',
    '/settings/undo',
  ]
  await fillDays(world)
  for (const path of [...paths, ...(await pagesToVisit(world, paths))]) {
    const page = await (await world.get(path)).text()
    const sizes = await Promise.all([path, ...filesOf(page)].map(packed))
    const sum = sizes.reduce((a, b) => a + b, 0)
    expect([path, sum, sum <= PAGE_MAX_BYTES]).toEqual([path, sum, true])
  }
})

test('the inbox and a question find all their styles in the sheet that they load', async () => {
  const approval = { toolName: 'Bash', action: 'git push', actionBody: 'git push\ngit gc' }
  await world.ask({ detail: approval })
  const choices = [{ label: 'A' }, { label: 'B' }]
  const ids = [
    await world.ask({ type: 'select', choices }),
    await world.ask({ type: 'input', detail: { context: 'About `a`.' } }),
    await world.ask({ detail: approval }),
    await world.ask({ status: 'answered', value: 'yes', endedAt: Date.now() }),
  ]
  // Paused after an error: home names it.
  const { workspaceId } = world
  const stopped = { machineId: 'm1', sessionId: 'stopped' }
  await world.work({ ...stopped, errored: true })
  for (let i = 0; i < 3; i++) {
    await world.db.write((tx) => countUnanswered(tx, { workspaceId, ...stopped }, 'unanswered'))
  }
  const classesOf = async (sheet: string) => {
    const text = await (await world.get(sheet)).text()
    return new Set([...text.matchAll(/\.([a-z][\w-]*)/g)].map(([, name]) => name))
  }
  const [app, more] = await Promise.all([
    styleSheet('/inbox', 'app'),
    styleSheet('/settings', 'more'),
  ])
  const [loaded, apart] = await Promise.all([classesOf(app), classesOf(more)])
  const rules = await (await world.get(more)).text()
  // A rule for the class by itself.
  const own = new Set([...rules.matchAll(/(?<=^|[},])\.([\w-]+)(?=[,{])/g)].map(([, name]) => name))
  for (const path of ['/', '/inbox', ...ids.map((id) => `/d/${id}`)]) {
    const page = await (await world.get(path)).text()
    expect(page).not.toContain(more)
    const used = [...page.matchAll(/class="([^"]+)"/g)].flatMap(([, names = '']) =>
      names.split(' '),
    )
    const missing = used.filter((name) => (apart.has(name) && !loaded.has(name)) || own.has(name))
    expect([path, missing]).toEqual([path, []])
  }
})

/** The address of a sheet that a page names. */
async function styleSheet(path: string, name: string): Promise<string> {
  const page = await (await world.get(path)).text()
  return new RegExp(`/assets/${name}\\.[^"]+`).exec(page)?.[0] ?? ''
}

test('every file a page names is there, for ever, packed for who can unpack it', async () => {
  const page = await (await world.get('/inbox')).text()
  const icons = (await (await world.get('/manifest.webmanifest')).json()) as {
    icons: Array<{ src: string }>
  }
  const files = [...filesOf(page), ...icons.icons.map(({ src }) => src)]
  expect(files.length).toBeGreaterThan(6)
  for (const file of files) {
    const response = await fetch(world.url + file, { headers: { 'accept-encoding': 'gzip' } })
    expect([file, response.status]).toEqual([file, 200])
    expect(response.headers.get('cache-control')).toContain('immutable')
    expect((await response.arrayBuffer()).byteLength).toBeGreaterThan(0)
  }
  const missing = await world.get('/assets/app.0000000000.css')
  expect(missing.status).toBe(404)
})

test('no page has inline scripts, inline styles or foreign addresses', async () => {
  const id = await world.ask({ detail: { action: 'rm -rf /' } })
  for (const path of [
    ...['/', '/inbox', `/d/${id}`, '/sessions', '/activity', '/settings', '/settings/tokens'],
    ...['/settings/policy', '/settings/rules?asks=permission', '/settings/rules/new'],
  ]) {
    const page = await (await world.get(path)).text()
    expect([path, / style="|<style|<script>|\son\w+="/.test(page)]).toEqual([path, false])
    expect([path, /(?:src|href)="(?:https?:)?\/\//.test(page)]).toEqual([path, false])
  }
})

test('the worker and the manifest are where browsers look for them', async () => {
  const worker = await world.get('/sw.js')
  expect(worker.headers.get('content-type')).toContain('text/javascript')
  expect(worker.headers.get('cache-control')).toBe('no-cache')
  expect(await worker.text()).toMatch(/addEventListener\(['"]push['"]/)
  const manifest = await world.get('/manifest.webmanifest')
  expect(manifest.headers.get('content-type')).toBe('application/manifest+json')
})
