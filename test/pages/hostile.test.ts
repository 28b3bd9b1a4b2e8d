import { expect, test } from 'bun:test'
import { HOSTILE, pagesFull } from '../support/hostile-text.ts'
import { pageWorld } from '../support/page-world.ts'

test('no page says a hostile text as it came, alone or in a list', async () => {
  await using world = await pageWorld()
  const raw: string[] = []
  for (const text of HOSTILE.filter((one) => /[<>"]/.test(one))) {
    for (const path of [...(await pagesFull(world, text)), '/', '/inbox', '/activity']) {
      const response = await world.get(path)
      if ((await response.text()).includes(text)) raw.push(`${path}: ${text}`)
      if (response.status === 303) continue
      expect(response.headers.get('content-security-policy')).toContain("default-src 'none'")
    }
  }
  expect(raw).toEqual([])
}, 60_000)

test('an address from an agent becomes a link only when it is a web address', async () => {
  await using world = await pageWorld()
  const links = ['javascript:alert(1)', 'data:text/html,x', 'https://ci.example.org/1']
  const seen = await Promise.all(
    links.map(async (url) => {
      const { id } = await world.tell({ url })
      return (await (await world.get(`/n/${id}`)).text()).includes(`href="${url}"`)
    }),
  )
  expect(seen).toEqual([false, false, true])
})
