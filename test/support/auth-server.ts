import { Elysia } from 'elysia'
import { createAgents } from '../../src/ask/accounts/model/agents.ts'
import { addPerson } from '../../src/ask/people/people.ts'
import { authRoutes } from '../../src/ask/sign-in/auth-routes.ts'
import { createAuthentication } from '../../src/ask/sign-in/authentication.ts'
import { systemClock } from '../../src/platform/clock.ts'
import { loadSecrets } from '../../src/platform/db/settings-store.ts'
import { createLimits } from '../../src/platform/http/limits.ts'
import { silentLog } from '../../src/platform/log.ts'
import { startServer } from './start-server.ts'
import { tempFolder } from './temp-folder.ts'
import { openTestDatabase } from './test-database.ts'

export const PASSWORD = 'correct horse battery'

/** A server with people and nothing else, over real HTTP; `/who` says who is signed in. */
export async function authServer(baseUrl = 'http://localhost:8484') {
  const folder = tempFolder()
  const database = await openTestDatabase(folder.path)
  const { db } = database
  const clock = systemClock
  const deps = { db, clock }
  const agents = createAgents(deps)
  const limits = createLimits({ db, clock })
  const { authSecret } = await loadSecrets(db, clock)
  const addressOf = () => '10.0.0.1'
  const authentication = createAuthentication({
    ...deps,
    log: silentLog,
    agents,
    limits,
    baseUrl,
    authSecret,
    addressOf,
  })
  const who = new Elysia()
    .get('/who', async ({ request }) =>
      Response.json({ person: (await authentication.personFrom(request)) ?? null }),
    )
    .get('/api/agent', async ({ request }) =>
      Response.json(await authentication.agentFrom(request)),
    )
  const routes = [authRoutes({ authentication, limits, addressOf, trail: deps }), who]
  const server = startServer({
    routes,
    log: silentLog,
  })
  const url = `http://127.0.0.1:${server.port}`

  return {
    ...deps,
    authentication,
    limits,
    url,
    folder: folder.path,
    addOwner: () => addPerson(deps, { email: 'ada@example.com', name: 'Ada', password: PASSWORD }),
    /** As a browser on our own page sends it. */
    post: (path: string, body: unknown, headers: Record<string, string> = {}) =>
      fetch(url + path, {
        method: 'POST',
        headers: { 'content-type': 'application/json', origin: url, ...headers },
        body: JSON.stringify(body),
      }),
    async who(cookie: string) {
      const response = await fetch(`${url}/who`, { headers: { cookie } })
      const body = (await response.json()) as { person: { name: string; role: string } | null }
      return body.person
    },
    async [Symbol.asyncDispose]() {
      await server.stop(0)
      agents[Symbol.dispose]()
      await database[Symbol.asyncDispose]()
      folder[Symbol.dispose]()
    },
  }
}
