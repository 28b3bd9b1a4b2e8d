import { expect, setDefaultTimeout, test } from 'bun:test'
import {
  Client,
  type OAuthClientProvider,
  StreamableHTTPClientTransport,
} from '@modelcontextprotocol/client'
import axe from 'axe-core'
import { oauthWorld } from '../support/oauth-world.ts'
import { DESK, openChromium, openTab, PHONE } from './chromium.ts'

// A browser on a busy machine.
setDefaultTimeout(240_000)

/** A client on the same machine: it listens for its answer at a port that the system chose. */
function program() {
  let arrived: (answer: URLSearchParams) => void = () => {}
  const answer = new Promise<URLSearchParams>((resolve) => {
    arrived = resolve
  })
  const server = Bun.serve({
    port: 0,
    hostname: '127.0.0.1',
    fetch(request) {
      arrived(new URL(request.url).searchParams)
      return new Response('<h1>Signed in</h1>', { headers: { 'content-type': 'text/html' } })
    },
  })
  const stored = new Map<string, unknown>()
  const keep = (name: string) => (value: unknown) => void stored.set(name, value)
  const redirectUrl = `http://127.0.0.1:${server.port}/callback`
  const provider = {
    redirectUrl,
    clientMetadata: {
      client_name: 'The library',
      redirect_uris: [redirectUrl],
      grant_types: ['authorization_code', 'refresh_token'],
      response_types: ['code'],
      token_endpoint_auth_method: 'none',
    },
    clientInformation: () => stored.get('client'),
    saveClientInformation: keep('client'),
    tokens: () => stored.get('tokens'),
    saveTokens: keep('tokens'),
    redirectToAuthorization: keep('to'),
    saveCodeVerifier: keep('verifier'),
    codeVerifier: () => stored.get('verifier'),
    saveDiscoveryState: keep('discovery'),
    discoveryState: () => stored.get('discovery'),
  } as unknown as OAuthClientProvider
  return {
    provider,
    answer,
    page: () => String(stored.get('to')),
    [Symbol.asyncDispose]: () => server.stop(true),
  }
}

test.each([
  ['a phone', PHONE, 'light'],
  ['a desk', DESK, 'dark'],
] as const)(
  'on %s somebody signs in, reads what the client may do, allows it, and it asks',
  async (_, device, colorScheme) => {
    const browser = await openChromium()
    await using world = await oauthWorld()
    await using client = program()
    const address = new URL(world.resource)
    const connect = () => {
      const library = new Client({ name: 'library', version: '1' })
      const transport = new StreamableHTTPClientTransport(address, {
        authProvider: client.provider,
      })
      return { library, transport, done: library.connect(transport) }
    }
    const first = connect()
    await first.done.catch(() => {})

    const stranger = { url: world.app.baseUrl, cookie: '' }
    await using tab = await openTab(browser, stranger, { ...device, colorScheme })
    const { page } = tab
    await page.goto(client.page())
    await page.getByLabel('E-mail').fill('mara@example.org')
    await page.getByLabel('Password').fill((await import('../support/auth-server.ts')).PASSWORD)
    await page.getByRole('button', { name: 'Sign in', exact: true }).click()
    await page.getByRole('heading', { name: 'Connect The library?' }).waitFor()
    await page.evaluate(axe.source)
    const violations = await page.evaluate(async () => {
      const { axe: there } = window as unknown as { axe: typeof axe }
      return (await there.run(document)).violations.map(({ id }) => id)
    })
    expect(violations).toEqual([])
    // The thumb reaches it without scrolling.
    const allow = page.getByRole('button', { name: 'Allow' })
    const box = await allow.boundingBox()
    expect((box?.y ?? 0) + (box?.height ?? 0)).toBeLessThanOrEqual(device.viewport.height)
    await allow.click()
    await page.getByRole('heading', { name: 'Signed in' }).waitFor()
    expect(tab.complaints).toEqual([])

    await first.transport.finishAuth(await client.answer)
    const { library, done } = connect()
    await done
    const question = await library.callTool({
      name: 'ask_user',
      arguments: { question: 'Deploy?' },
    })
    const { correlationId } = question.structuredContent as { correlationId: string }
    await page.goto(`${world.app.baseUrl}/d/${correlationId}`)
    await page.getByRole('button', { name: /^Yes/ }).click()
    const answer = await library.callTool({ name: 'wait_for_answer', arguments: { correlationId } })
    expect(answer.structuredContent).toMatchObject({ answered: true, value: 'yes' })

    await page.goto(`${world.app.baseUrl}/settings/tokens`)
    await page
      .getByText(/\byours\b/)
      .first()
      .waitFor()
    await page.locator('summary', { hasText: 'Revoke' }).click()
    await page.getByRole('button', { name: 'Revoke The library' }).click()
    await page.getByText('No agent can ask yet').waitFor()
    const refused = library.callTool({ name: 'ask_user', arguments: { question: 'Still there?' } })
    await expect(refused).rejects.toThrow()
    await library.close()
  },
)

test('the policy of the page lets the browser follow the answer to an app', async () => {
  const browser = await openChromium()
  await using world = await oauthWorld()
  const uri = 'cursor://anysphere.cursor-mcp/oauth/callback'
  const { client_id } = await world.register({ redirect_uris: [uri] })
  await using tab = await openTab(browser, { url: world.app.baseUrl, cookie: world.cookie })
  const { page } = tab
  await page.goto(
    `${world.app.baseUrl}/oauth2/authorize?${world.query(client_id, { redirect_uri: uri })}`,
  )
  const answered = page.waitForResponse((response) => response.request().method() === 'POST')
  await page.getByRole('button', { name: 'Allow' }).click()
  const location = (await (await answered).allHeaders()).location ?? ''
  expect(location).toStartWith(`${uri}?code=bkac_`)
  // The policy of the page would have said no.
  expect(tab.complaints).toEqual([])
})

test('no other site shows the page in a frame', async () => {
  const browser = await openChromium()
  await using world = await oauthWorld()
  const { client_id } = await world.register()
  const inside = `${world.app.baseUrl}/oauth2/authorize?${world.query(client_id)}`
  const frame = `<iframe src="${inside.replaceAll('&', '&amp;')}" width="400" height="800"></iframe>`
  const evil = Bun.serve({
    port: 0,
    hostname: '127.0.0.1',
    fetch: () => new Response(frame, { headers: { 'content-type': 'text/html' } }),
  })
  const at = { url: world.app.baseUrl, cookie: world.cookie }
  await using tab = await openTab(browser, at)
  await tab.page.goto(`http://127.0.0.1:${evil.port}/`, { waitUntil: 'load' })
  const [, framed] = tab.page.frames()
  const buttons = await framed?.locator('button').count()
  expect(buttons).toBe(0)
  expect(tab.complaints.join()).toContain('frame-ancestors')
  await evil.stop(true)
})
