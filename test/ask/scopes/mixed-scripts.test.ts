import { expect, test } from 'bun:test'
import { mixesScripts } from '../../../src/ask/wire/matcher/spelling.ts'

test.each(['srс/**', 'іnfra/a', 'src/αpi', '**/.еnv'])(
  '%s mixes letters that look alike',
  (path) => {
    expect(mixesScripts(path)).toBe(true)
  },
)

test.each(['src/**', 'документы/**', 'δοκιμή', 'src/größe', 'src/日本語', '**/*', ''])(
  '%s does not',
  (path) => {
    expect(mixesScripts(path)).toBe(false)
  },
)
