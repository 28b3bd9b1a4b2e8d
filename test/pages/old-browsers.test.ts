import { expect, test } from 'bun:test'
import tokens from '../../src/pages/assets/tokens.css' with { type: 'text' }

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
  const folder = new URL('../../src/pages/assets/', import.meta.url).pathname
  for (const name of new Bun.Glob('*.css').scanSync(folder)) {
    const css = await Bun.file(folder + name).text()
    expect([name, css.split('\n').filter((line) => unknown.test(line))]).toEqual([name, []])
  }
})
