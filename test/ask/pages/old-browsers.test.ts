import { expect, test } from 'bun:test'
import tokens from '../../../src/platform/web/tokens.css' with { type: 'text' }

test('every colour that needs light-dark() has one for browsers that do not know it', () => {
  const css = String(tokens)
  const [modern = '', old = ''] = css.split('@supports not (color: light-dark(#000, #fff))')
  const names = [...modern.matchAll(/(--[\w-]+): light-dark\(/g)].map(([, name]) => name)
  expect(names.length).toBeGreaterThan(10)
  for (const name of names) {
    const plain = old.match(new RegExp(`${name}: (#[0-9a-f]{6}|rgba\\([\\d., ]+\\));`, 'g')) ?? []
    // Light, dark by choice, dark by the system.
    expect([name, plain.length]).toEqual([name, 3])
    expect([name, plain[1]]).toEqual([name, plain[2]])
  }
})

test('no rule of the layout needs what Safari 13 and Chrome 78 do not know', async () => {
  // There :is() and :where() lose the whole rule, and the others a position.
  const unknown = /(?:^|[\s;{])(?:inset:|aspect-ratio:|@layer|@container|@scope)|:(?:is|where)\(/
  const src = new URL('../../../src/', import.meta.url).pathname
  const names = [...new Bun.Glob('**/*.css').scanSync(src)]
  expect(names.length).toBeGreaterThan(6)
  for (const name of names) {
    const css = await Bun.file(src + name).text()
    expect([name, css.split('\n').filter((line) => unknown.test(line))]).toEqual([name, []])
  }
})
