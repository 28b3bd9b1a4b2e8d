import { expect, test } from 'bun:test'
import type { Option } from '../../../../src/ask/wire/reading/row.ts'
import { rowNames, rowOf } from '../../../../src/ask/wire/reading/rows/index.ts'
import { everyNth, isLong } from '../../../support/share.ts'
import { findInstalled, readDocumentation, type Taken, waysOf } from './documentation.ts'
import { canSandbox } from './shell-sandbox.ts'
import { isException, NO_DOCUMENTATION } from './undocumented.ts'

// Every option of a row is one that the program documents for that subcommand, and takes a value
// where the program says so. A wrong one hides an operand, or takes an operand for a value.
const EVERY = 12

test.skipIf(!canSandbox)(
  'the options of the table are those that installed programs document',
  async () => {
    const all = rowNames().filter(hasOptions)
    const names = all.filter((name) => findInstalled(programOf(name)) !== undefined)
    const missing = new Set(all.filter((name) => !names.includes(name)).map(programOf))
    console.log(`Not compared, because they are not installed: ${[...missing].join(' ')}`)
    const chosen = isLong ? names : everyNth(names, EVERY)
    const documentation = await readDocumentation(chosen)
    let compared = 0
    const wrong: string[] = []
    for (const [name, text] of documentation) {
      if (text.length < 400) continue
      for (const [option, { takes }] of rowOf(name)?.options ?? []) {
        compared++
        const ways = waysOf(option.replace(/:$/, ''), text)
        if (fits(takes, ways) || isNegation(name, option, text)) continue
        if (isException(name, option)) continue
        wrong.push(`${name} ${option}: ${takes}, documented: ${[...ways].join(' ') || 'no'}`)
      }
    }
    expect(wrong).toEqual([])
    expect(compared).toBeGreaterThan(100)
  },
  1_800_000,
)

function programOf(name: string): string {
  return name.split(' ')[0] ?? name
}

function hasOptions(name: string): boolean {
  const row = rowOf(name)
  const isDocumented = !NO_DOCUMENTATION.some((pattern) => pattern.test(name))
  return isDocumented && row !== undefined && !row.takesAny && row.options.size > 0
}

/** `--color` of the documentation may be spelled alone where its value may be left out. */
function fits(takes: Option['takes'], ways: ReadonlySet<Taken>): boolean {
  return ways.has(takes) || (takes === 'attached' && ways.has('value') && ways.has('none'))
}

/** git takes `--no-x` wherever it takes `--x`. */
function isNegation(name: string, option: string, text: string): boolean {
  if (!name.startsWith('git ') || !option.startsWith('--no-')) return false
  return waysOf(`--${option.slice('--no-'.length)}`, text).size > 0
}
