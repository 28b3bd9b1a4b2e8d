import { expect, test } from 'bun:test'
import { CONFORMANCE_LIMIT_MS, startAuthorizationConformance } from '../support/conformance.ts'
import { freePort } from '../support/free-port.ts'
import { oauthWorld } from '../support/oauth-world.ts'

// The revisions that the runner has scenarios of an authorization server for.
const REVISIONS = ['2025-03-26', '2025-06-18', '2025-11-25', '2026-07-28']
const SCENARIOS = ['authorization-server-metadata-endpoint', 'authorization-code-grant']

test.each(REVISIONS)(
  'the official runner finds nothing in an authorization server of %s',
  async (revision) => {
    await using world = await oauthWorld()
    const port = freePort()
    const redirectUri = `http://127.0.0.1:${port}/callback`
    const { client_id } = await world.register({ redirect_uris: [redirectUri] })
    const { issuer: url, resource } = world
    const runner = startAuthorizationConformance(url, [
      ...['--client-id', client_id, '--resource', resource],
      ...['--port', `${port}`, '--spec-version', revision],
    ])
    // The runner waits for the browser of a person, who allows.
    const address = new URL(await runner.shows(/^http\S+\/authorize\?\S+$/m))
    const answer = await world.allow(address.search.slice(1))
    await fetch(`${redirectUri}?${answer}`)
    const { code, text } = await runner.ended
    expect(code, text).toBe(0)
    for (const scenario of SCENARIOS) expect(text).toContain(scenario)
    expect(text).not.toMatch(/FAILURE|SKIPPED|✗/)
  },
  CONFORMANCE_LIMIT_MS,
)
