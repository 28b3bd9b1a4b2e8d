import { expect, test } from 'bun:test'
import { exitCodeOf, failedCheck, LINKS } from '../../src/ask/check.ts'
import { page } from './blocks.ts'

test('docs/troubleshooting.md has the exit code of each link', async () => {
  const text = await page('docs/troubleshooting.md')
  const rows = [...text.matchAll(/^\| (\d) \| (\w+) \|/gm)].map(([, code, link]) => [link, code])
  expect(rows).toEqual([
    ['none', '0'],
    ...LINKS.map((link) => [link, String(exitCodeOf([failedCheck(link, 'x', 'x', 'x')]))]),
  ])
})
