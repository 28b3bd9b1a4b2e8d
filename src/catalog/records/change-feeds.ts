import { Type } from '@sinclair/typebox'
import { closed, day, instantField, link, slug, textField } from './words.ts'

/** The changes as a JSON Feed 1.1 (jsonfeed.org). */
export const JsonFeedDocument = closed(
  {
    version: Type.Literal('https://jsonfeed.org/version/1.1'),
    title: textField('Name of the feed.'),
    home_page_url: link('The same for people.'),
    feed_url: link('This feed.'),
    description: textField('Credit line for the data.'),
    language: textField('Language.', 35),
    authors: Type.Array(
      closed({ name: textField('Name of the catalog.'), url: link('Its address.') }),
    ),
    items: Type.Array(
      closed({
        id: Type.String({ pattern: '^urn:uuid:[0-9a-f-]{36}$', description: 'Of the change.' }),
        url: Type.Optional(link('Page of the tool.')),
        external_url: Type.Optional(link('Where it was announced.')),
        title: textField('What happens, to what.'),
        content_text: textField('The change in words.', 20_000),
        date_published: Type.Optional(instantField('Start of the day of the announcement.')),
        date_modified: instantField('Start of the day on which it last changed.'),
        tags: Type.Array(textField('Kind of the change, and the slug of the tool.'), {
          minItems: 2,
          maxItems: 2,
        }),
        _change: closed({
          id: slug('Identifier of the change.'),
          date: day('Day on which it takes effect.'),
          kind: textField('What sort of change.', 64),
          tool: slug('The tool.'),
        }),
      }),
      { maxItems: 200, description: 'Last changed first.' },
    ),
  },
  'Dated changes as a JSON Feed 1.1.',
)

const target = closed({
  href: link('Where it is.'),
  type: textField('Media type.', 100),
})
const targets = (description: string) => Type.Array(target, { minItems: 1, description })

/** Where the feeds are described (RFC 9727), as a linkset (RFC 9264). */
export const Linkset = closed(
  {
    linkset: Type.Array(
      closed({
        anchor: link('What the links are about.'),
        item: Type.Optional(targets('Entries.')),
        'service-desc': Type.Optional(targets('For machines.')),
        'service-doc': Type.Optional(targets('For people.')),
        'service-meta': Type.Optional(targets('More about it.')),
      }),
      { minItems: 1 },
    ),
  },
  'Where the feeds are described (RFC 9727).',
)
