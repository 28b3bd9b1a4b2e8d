/** @jsxImportSource preact */
import { expect, test } from 'bun:test'
import { Type } from '@sinclair/typebox'
import { render } from 'preact-render-to-string'
import { defineFact, type FactModule, withTime } from '../../../src/catalog/facts/fact.ts'
import { FACTS, probesOf } from '../../../src/catalog/facts/facts.ts'
import { liveLines } from '../../../src/catalog/feeds/markdown/fact-lines.ts'
import { readLive } from '../../../src/catalog/measured/read-live.ts'
import { LiveSection as Measured } from '../../../src/catalog/pages/tool/live.tsx'
import { measure } from '../../../src/catalog/probing/measure.ts'
import { Live, liveSchema } from '../../../src/catalog/records/live.ts'
import type { ToolDetail } from '../../../src/catalog/records/tool.ts'
import { closed, instantField, textField } from '../../../src/catalog/records/words.ts'
import { openSqlite } from '../../../src/platform/db/sqlite.ts'
import { shape } from '../../../src/platform/schema.ts'
import { simulatedTime } from '../../support/simulated-time.ts'
import { tempFolder } from '../../support/temp-folder.ts'
import { sampleSnapshot } from '../snapshot-of.ts'
import { localOutside, playedSite } from './played-site.ts'
import { aSubject, basesAt, NOW } from './subjects.ts'

const Greeting = closed({
  words: textField('What it says.'),
  checkedAt: instantField('When it was read.'),
})

/** What a new fact is: one module, and one line in the list. */
const GREETING = defineFact({
  name: 'greeting',
  value: Type.Pick(Greeting, ['words'], { additionalProperties: false }),
  live: { greeting: Type.Optional(Greeting) },
  probes: ({ site }) => [
    {
      name: 'greeting',
      everyMs: 3_600_000,
      appliesTo: () => true,
      async run(outside) {
        const reply = await outside.fetch(`${site('')}/hello`)
        if (reply.outcome !== 'answered') return { facts: [] }
        const words = new TextDecoder().decode(reply.body)
        return { facts: [{ subject: 'greeting', value: { words } }] }
      },
    },
  ],
  read: ([stored]) => (stored ? { greeting: withTime(stored) } : {}),
  markdown: ({ greeting }, { fact, text }) => fact('Greeting', text(greeting?.words ?? '')),
  html: ({ greeting }, { Fact }) => greeting && <Fact name="Greeting">{greeting.words}</Fact>,
})

const WITH_TOY: readonly FactModule[] = [...FACTS, GREETING]

test('a fact that is one more in the list is measured, kept, and said by JSON, Markdown and HTML', async () => {
  using folder = tempFolder()
  await using db = openSqlite(`${folder.path}/catalog.db`)
  await using site = await playedSite()
  site.text('/hello', 'Hello <b>you</b>', 'text/plain')
  const { clock } = simulatedTime(NOW)
  const probe = probesOf(basesAt(site.base), WITH_TOY).at(-1)
  const subject = aSubject()
  const report = (error: unknown) => {
    throw error
  }
  if (!probe) throw new Error('the list has no probe')
  const deps = { db, clock, outside: localOutside(), random: () => 0.5, report }
  await measure(deps, subject, probe)

  const live = (await readLive(db.read, NOW, WITH_TOY)).get(subject.tool.slug)
  const schema = shape(liveSchema(WITH_TOY))
  const greeting = { words: 'Hello <b>you</b>', checkedAt: new Date(NOW).toISOString() }
  expect(live).toMatchObject({ greeting, updatedAt: greeting.checkedAt })
  expect(schema.wrong(live)).toEqual([])
  expect(Object.keys(liveSchema(WITH_TOY).properties)).toEqual(
    Object.keys(Live.properties).toSpliced(-1, 0, 'greeting'),
  )
  // Without its line in the list nothing is said of it.
  expect((await readLive(db.read, NOW)).get(subject.tool.slug)).not.toHaveProperty('greeting')

  const snapshot = sampleSnapshot(1)
  const tool = { ...snapshot.tools[0], live } as ToolDetail
  expect(liveLines(tool, WITH_TOY)).toContain('- **Greeting:** Hello \\<b>you\\</b>')
  const page = render(<Measured snapshot={snapshot} tool={tool} facts={WITH_TOY} />)
  expect(page).toContain('<dt>Greeting</dt><dd dir="auto">Hello &lt;b>you&lt;/b></dd>')
})
