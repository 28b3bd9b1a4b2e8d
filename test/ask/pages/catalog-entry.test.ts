import { expect, test } from 'bun:test'
import { publish } from '../../../src/catalog/publishing/publish.ts'
import { systemClock } from '../../../src/platform/clock.ts'
import { generatedCatalog } from '../../support/generated-catalog.ts'
import { pageWorld } from '../../support/page-world.ts'
import { until } from '../../support/until.ts'

test('the rail shows the catalog once there is something in it', async () => {
  await using world = await pageWorld()
  const home = async () => (await world.get('/')).text()
  expect((await fetch(`${world.url}/tools`)).status).toBe(200)
  expect(await home()).not.toContain('href="/tools')
  await publish({ db: world.db, clock: systemClock }, generatedCatalog(4))
  await until(async () => (await home()).includes('href="/tools#beckon"'))
  expect(await home()).toContain('>Catalog</span>')
  // The whole server gives them to a stranger too, with what each browser needs.
  const tool = await fetch(`${world.url}/tools/tool-0001`)
  expect([tool.status, tool.headers.get('set-cookie')]).toEqual([200, null])
  expect(tool.headers.get('content-security-policy')).toContain("default-src 'none'")
})
