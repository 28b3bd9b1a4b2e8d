import { type Static, Type } from '@sinclair/typebox'
import { GradeHistoryItem } from './grading.ts'
import { Meta } from './meta.ts'
import { CurrentTool, ToolListChange } from './tool-changes.ts'
import {
  closed,
  countField,
  day,
  instantField,
  link,
  openWord,
  orNull,
  slug,
  textField,
} from './words.ts'

const usd = (description: string) => orNull(Type.Number({ minimum: 0, description }))

/** A price per unit that a publish changed. */
const PriceStep = closed({
  at: instantField('When it was published.'),
  item: textField('What is sold.', 300),
  unit: textField('For how much of it.', 100),
  before: usd('US dollars before; null: not stated.'),
  after: usd('US dollars from then on; null: not stated any more.'),
})

/** A price that a paid address named. */
const PaidStep = closed({
  at: instantField('When it was first seen.'),
  url: textField('The address.', 2000),
  network: textField('Chain id.', 100),
  asset: textField('What is paid with.', 300),
  usd: orNull(textField('US dollars a call, as a decimal; null: not known.', 100)),
})

const VersionStep = closed({
  at: instantField('When it was first seen.'),
  registry: openWord('Registry.', ['npm', 'pypi', 'go', 'github']),
  name: textField('Package.', 300),
  version: textField('Version.', 100),
  released: Type.Optional(day('Day of its release.')),
})

const StatusStep = closed({
  at: instantField('When it was read.'),
  indicator: openWord('What the vendor said.', ['none', 'minor', 'major', 'critical', 'unknown']),
  summary: textField('Its headline.'),
})

const ProbeMonth = closed({
  month: Type.String({ pattern: '^\\d{4}-\\d\\d$', description: 'Month.' }),
  probes: countField('Probes that say whether it was up.'),
  ok: countField('Those that were answered.'),
})

/** What changed in one tool over time; every list is oldest first. */
export const ToolHistory = closed({
  slug: slug('The tool.'),
  name: textField('Its name.', 200),
  url: link('Its page.'),
  tools: Type.Array(CurrentTool, { description: 'The tools that its MCP server listed last.' }),
  toolLists: Type.Array(ToolListChange, { description: 'How that list changed.' }),
  prices: Type.Array(PriceStep, { description: 'Prices per unit that changed in this catalog.' }),
  paidPrices: Type.Array(PaidStep, { description: 'Prices that its paid addresses named.' }),
  versions: Type.Array(VersionStep, { description: 'Newest versions in the registries.' }),
  scores: Type.Array(GradeHistoryItem, { description: 'Grades and scores.' }),
  status: Type.Array(StatusStep, { description: 'What the status page of its vendor said.' }),
  months: Type.Array(ProbeMonth, { description: 'Probes by month.' }),
})
export type ToolHistory = Static<typeof ToolHistory>

/** What is stored of a history beside prices of calls and grades, which are in the record. */
export type StoredToolHistory = Pick<
  ToolHistory,
  'tools' | 'toolLists' | 'prices' | 'versions' | 'status' | 'months'
>

export const HistoryDocument = closed(
  { meta: Meta, history: ToolHistory },
  'What changed in one tool over time.',
)
