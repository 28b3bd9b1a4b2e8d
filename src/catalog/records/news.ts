import { type Static, Type } from '@sinclair/typebox'
import { Meta } from './meta.ts'
import {
  closed,
  countField,
  day,
  instantField,
  link,
  openWord,
  orNull,
  slug,
  sourceLink,
  textField,
  texts,
} from './words.ts'

/** The kinds of news, in the order of their weight. */
const NEWS_KINDS = [
  'ended',
  'ends',
  'deprecated',
  'breaking',
  'security',
  'tools',
  'price',
  'grade',
  'version',
  'notice',
] as const
export type NewsKind = (typeof NEWS_KINDS)[number]

const uuid = (description: string) =>
  Type.String({ pattern: '^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$', description })

/** Something that happened to a tool, or is about to. */
export const NewsItem = closed({
  id: uuid('The same for as long as it says the same.'),
  subject: uuid('What it is about: an item with another id and the same subject replaces it.'),
  tool: slug('The tool.'),
  name: textField('Its name.', 200),
  category: textField('Its category.', 64),
  capabilities: texts('What it can do.', 100),
  kind: openWord('What sort of news.', NEWS_KINDS),
  breaking: Type.Optional(
    orNull(
      Type.Boolean({
        description:
          'Whether a call that worked before may fail. Null: not known. Absent: no question.',
      }),
    ),
  ),
  at: instantField('When it was published, measured, or came so near.'),
  date: Type.Optional(day('Day on which it takes effect.')),
  title: textField('What it is, in a line.', 500),
  url: link('Page of the tool.'),
  source: Type.Optional(sourceLink('Where it was announced.')),
})
export type NewsItem = Static<typeof NewsItem>

/** News of the last days, newest first. */
export const NewsDocument = closed(
  {
    meta: Meta,
    days: countField('News of so many days.'),
    count: countField('Items in this document.'),
    news: Type.Array(NewsItem, { description: 'Newest first; one item of each subject.' }),
  },
  'What happened to tools lately.',
)
