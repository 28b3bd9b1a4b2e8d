import { afterAll, beforeAll, expect, setDefaultTimeout, test } from 'bun:test'
import { getTableColumns, getTableName, is, Table } from 'drizzle-orm'
import * as tables from '../../../drizzle/tables.ts'
import { fullHouse } from '../../support/full-house.ts'
import { hostileWords, tamed, tamedWords } from '../../support/hostile-corpus.ts'
import { skeletonOf, textOf } from '../../support/page-skeleton.ts'
import { type PageWorld, pageWorld } from '../../support/page-world.ts'
import { howOften } from '../../support/share.ts'
import { CATALOG, emptyTables, OTHERS, OURS, spoiler } from '../../support/stored-words.ts'

/** How often every place gets another text; all of them have had all texts after `CORPUS.length`. */
const ROUNDS = howOften(2, 230, 2)
setDefaultTimeout(60_000 + ROUNDS * 10_000)

test('of every column it is known whose words stand in it', () => {
  const columns = Object.values(tables).flatMap((table) => {
    if (!is(table, Table) || CATALOG.test(getTableName(table))) return []
    const columns = Object.values(getTableColumns(table))
    const texts = columns.filter((column) => column.getSQLType() === 'text')
    return texts.map(({ name }) => `${getTableName(table)}.${name}`)
  })
  const listed = [OTHERS, OURS].flatMap((whose) =>
    Object.entries(whose).flatMap(([table, columns]) =>
      columns.split(' ').map((column) => `${table}.${column.replace(/\W+$/, '')}`),
    ),
  )
  expect(listed.toSorted()).toEqual(columns.toSorted())
})

let world: PageWorld
let paths: string[]
let respoil: ReturnType<typeof spoiler>

beforeAll(async () => {
  world = await pageWorld()
  paths = await fullHouse(world, 'Plain words')
  respoil = spoiler(world.file)
})
afterAll(() => world[Symbol.asyncDispose]())

// A link may lead elsewhere; nothing else does, and none leads to anything but a web page.
const LEADS_OUT =
  /\b(?:src|srcset|action|formaction|hx-\w+)=elsewhere|\b(?:href|src|action|formaction)=(?!elsewhere|\/|#|data:image\/svg)[^ \]]+/g

test('every table that others write to has something in it', () => {
  expect(emptyTables(world.file)).toEqual([])
})

type Seen = { path: string; status: number; skeleton: string; text: string }

// It looks at the network, which takes a while: the first texts are enough for it.
const SLOW = '/settings/health'
// It shows the rules as YAML, which quotes some texts and sorts by them.
const QUOTED = '/settings/policy/file'

/** Every page as it is once these words stand everywhere. */
async function seenWith(round: number, calm: boolean): Promise<Seen[]> {
  respoil(calm ? tamedWords(round) : hostileWords(round))
  await world.db.write(async (tx) => tx.emit('policy', world.workspaceId))
  const seen: Seen[] = []
  for (const path of round === 0 ? paths : paths.filter((one) => one !== SLOW)) {
    const response = await world.get(path)
    const { status, headers } = response
    const body = withoutReasons(await response.text())
    if (headers.get('content-type')?.startsWith('text/html')) {
      expect(headers.get('content-security-policy')).toContain("default-src 'none'")
    } else expect([path, status, 'redirect']).toEqual([path, 303, 'redirect'])
    seen.push({
      path,
      status,
      skeleton: await skeletonOf(body, world.url),
      text: sameEachTime(await textOf(body)),
    })
  }
  return seen
}

/**
 * Without the reason for a second look, what is not known of a command, its marks, and the colours of code: some of these texts
 * deserve them, and their tame twins do not. Nor have those any backticks.
 */
function withoutReasons(page: string): string {
  return (
    page
      .replace(/<p class="warn why">(?:(?!<\/p>).)*<\/p>/gs, '')
      .replace(/<p class="warn unknown">(?:(?!<\/p>).)*<\/p>/gs, '')
      .replace(/<span class="at-risk">(?:(?!<\/span>).)*<\/span><\/span>/gs, '')
      .replace(/<span class="flag">([^<]*)<\/span>/g, '$1')
      .replace(/<span class="(?:key|str|num|rem)">([^<]*)<\/span>/g, '$1')
      .replace(/<mark class="danger">([^<]*)<\/mark>/g, '$1')
      // Tamed signs are Latin letters, which stand in one word with those of other scripts.
      .replace(/<mark class="letter" data-name="[^"]*">([^<]*)<\/mark>/g, '$1')
      .replace(/<code class="said" dir="ltr">([^<]*)<\/code>/g, '$1')
  )
}

/** Without times, a name that is made up each time, and what an address has its signs written as. */
function sameEachTime(text: string): string {
  return (
    tamed(text.replace(/%(22|3[CE])/g, 'x'))
      .replace(/just now|\d+ min ago/g, 'ago')
      .replace(/beckon-\w+/g, '')
      // Three dots where a second question follows.
      .replace(/(Approve|Yes)…/g, '$1')
      .replace(/\d+/g, '0')
  )
}

test('no text changes what a page is made of', async () => {
  const wrong: string[] = []
  for (let round = 0; round < ROUNDS; round++) {
    const plain = await seenWith(round, true)
    const evil = await seenWith(round, false)
    for (const [i, { path, status, skeleton, text }] of evil.entries()) {
      const expected = plain[i]
      const about = `${path}, round ${round}`
      if (status >= 500 || status !== expected?.status) wrong.push(`${about}: ${status}`)
      const led = skeleton.match(LEADS_OUT) ?? []
      if (led.length > 0) wrong.push(`${about}: ${led.join(' ')}`)
      const differs = firstDifference(skeleton, expected?.skeleton ?? '')
      if (differs) wrong.push(`${about}: ${differs}`)
      // Nothing is missing of it either: what is read is the text, sign by sign.
      const reads = firstDifference(text, expected?.text ?? '')
      if (reads && path !== QUOTED) wrong.push(`${about} reads ${reads}`)
    }
  }
  expect(wrong).toEqual([])
})

function firstDifference(one: string, other: string): string {
  if (one === other) return ''
  const [a, b] = [one.split('\n'), other.split('\n')]
  const n = a.findIndex((line, i) => line !== b[i])
  const around = (lines: string[]) => lines.slice(Math.max(0, n - 2), n + 2).join(' ')
  return `${around(a)} instead of ${around(b)}`
}

test('an address from an agent becomes a link only when it is a web address', async () => {
  const links = ['javascript:alert(1)', 'data:text/html,x', 'https://ci.example.org/1']
  const seen = await Promise.all(
    links.map(async (url) => {
      const { id } = await world.tell({ url })
      return (await (await world.get(`/n/${id}`)).text()).includes(`href="${url}"`)
    }),
  )
  expect(seen).toEqual([false, false, true])
})
