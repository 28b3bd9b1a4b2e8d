import { expect, test } from 'bun:test'
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { loadFolder } from '../../../src/catalog/authoring/load-folder.ts'
import { withKey } from '../../../src/catalog/commands/reply.ts'
import { toolPage } from '../../../src/catalog/pages/tool.tsx'
import { REPLY_KEYS_PATH, signReply } from '../../../src/catalog/signing/reply.ts'
import { createGuardedFetch } from '../../../src/platform/outgoing/guarded-fetch.ts'
import { makePrivateJwk, publicJwk } from '../../../src/platform/signing/ed25519.ts'
import { aCatalogView } from '../../support/catalog-pages.ts'
import { writeGeneratedCatalog } from '../../support/generated-catalog.ts'
import { tempFolder } from '../../support/temp-folder.ts'
import { playedSite } from '../facts/played-site.ts'

const { jwk } = makePrivateJwk()
const TEXT = 'We read it. <script>alert(1)</script> Keys can be limited since May.'
const signed = signReply({ tool: 'tool-0000', date: '2026-11-01', text: TEXT }, jwk)
const { fetch } = createGuardedFetch({ allowPrivateHosts: ['127.0.0.1'] })
const DAY = '2026-11-02'

function request(site: string) {
  return { fetch, domain: 'vendor.example', site, today: DAY }
}

test('a reply is taken with the key that the site of the vendor publishes', async () => {
  await using site = await playedSite()
  site.json(REPLY_KEYS_PATH, { keys: [publicJwk(makePrivateJwk().jwk), publicJwk(jwk)] })
  expect(await withKey(signed, request(site.base))).toMatchObject({
    text: TEXT,
    key: { domain: 'vendor.example', x: jwk.x, read: DAY },
  })
})

test('no other key, changed text, redirect or page is enough', async () => {
  await using site = await playedSite()
  const taken = async (reply = signed) => typeof (await withKey(reply, request(site.base)))
  expect(await taken()).toBe('string')
  site.json(REPLY_KEYS_PATH, { keys: [publicJwk(makePrivateJwk().jwk)] })
  expect(await taken()).toBe('string')
  site.text(REPLY_KEYS_PATH, '<html>', 'text/html')
  expect(await taken()).toBe('string')
  site.json('/elsewhere', { keys: [publicJwk(jwk)] })
  site.on(REPLY_KEYS_PATH, () => Response.redirect(`${site.base}/elsewhere`, 302))
  expect(await taken()).toBe('string')
  site.json(REPLY_KEYS_PATH, { keys: [publicJwk(jwk)] })
  expect(await taken({ ...signed, text: 'We are the best.' })).toBe('string')
  expect(await taken({ ...signed, tool: 'tool-0001' })).toBe('string')
  expect(await taken()).toBe('object')
})

/** A folder whose first tool has a reply; `change` spoils its file. */
async function folderWith(change: object = {}) {
  using folder = tempFolder()
  writeGeneratedCatalog(folder.path, 4)
  const before = await loadFolder(folder.path)
  const tool = before.source?.tools.find(({ slug }) => slug === 'tool-0000')
  const vendor = before.source?.vendors.find(({ id }) => id === tool?.vendor)
  const url = `https://${vendor?.domain}${REPLY_KEYS_PATH}`
  const key = { domain: vendor?.domain, url, read: DAY, x: jwk.x }
  mkdirSync(join(folder.path, 'replies'))
  const file = join(folder.path, 'replies', 'tool-0000.json')
  writeFileSync(file, JSON.stringify({ ...signed, key, ...change }))
  return await loadFolder(folder.path)
}

test('it is served beside the breakdown, escaped on the page, for a year', async () => {
  const { source } = await folderWith()
  if (!source) throw new Error('the folder has problems')
  const view = aCatalogView(source)
  const tool = view.tools.find(({ slug }) => slug === 'tool-0000')
  expect(tool?.reply).toMatchObject({ text: TEXT, until: '2027-11-01' })
  const page = tool ? toolPage(view, tool) : ''
  expect(page).toContain('What the vendor says')
  expect(page).toContain('&lt;script>alert(1)')
  expect(page).not.toContain('<script>alert(1)')
})

test('in the folder a changed text, another domain or tool is a problem', async () => {
  const key = { domain: 'other.example', url: 'https://other.example/k', read: DAY, x: jwk.x }
  for (const change of [{ text: 'Better.' }, { key }, { tool: 'tool-0001' }]) {
    const { source, problems } = await folderWith(change)
    expect(source).toBeUndefined()
    expect(problems[0]?.file).toBe('replies/tool-0000.json')
  }
})
