import { type Static, Type } from '@sinclair/typebox'
import { CHANGE_KINDS, CHANGE_STATES, DATE_PRECISIONS } from './change.ts'
import type { DeskFinding } from './desk.ts'
import { WRITTEN_FIELDS } from './fields/fields.ts'
import { CONFIDENCES, CRITERIA } from './grading.ts'
import { AuthoredModels } from './models.ts'
import type { VendorReply } from './reply.ts'
import { Connect, Detail, KINDS } from './tool-fields.ts'
import {
  closed,
  countField,
  day,
  dottedWord,
  filledText,
  link,
  oneWord,
  patternField,
  slug,
  sourceLink,
  textField,
  texts,
  word,
} from './words.ts'
import { CatalogAccepts } from './x402.ts'

const id = word

const Paths = Type.Optional(
  Type.Record(
    Type.String({ maxLength: 64 }),
    textField('Where in the document; `FILE#…` in another file beside it.', 2000),
    {
      description: 'Where in the document each imported field was read.',
    },
  ),
)

/** Where a file has its facts from, and which of them an import wrote. */
const Sources = Type.Optional(
  Type.Array(
    closed({
      url: sourceLink('Where it was read.'),
      id: Type.Optional(textField('What the source calls it, with the kind of import.', 2200)),
      read: day('Day on which it was read.'),
      facts: texts('Fields that it shows.', 64),
      paths: Paths,
      credit: Type.Optional(textField('Credit line that its licence asks for.', 500)),
      imported: Type.Optional(
        Type.Record(Type.String({ maxLength: 64 }), Type.String({ pattern: '^[0-9a-f]{8}$' }), {
          description:
            'Written by imports: a field whose value still has this mark may be updated.',
        }),
      ),
    }),
  ),
)

/** `catalog.yaml`. */
export const CatalogSettings = closed(
  {
    name: filledText('Name of the catalog.', 200),
    description: Type.Optional(textField('What it is, in a sentence.', 500)),
    baseUrl: Type.Optional(link('Public address; without it the address of the server.')),
    attribution: filledText('Credit line for the data.', 500),
    license: Type.Optional(textField('Licence of the data; CC-BY-4.0 without it.', 100)),
    preview: Type.Optional(
      Type.Boolean({ description: 'True until the data is meant to be used.' }),
    ),
    docs: Type.Optional(link('Documentation; the methodology page without it.')),
    contact: Type.Optional(
      patternField('an address that starts with https:// or mailto:', {
        pattern: '^(https://|mailto:)[^\\s<>"]+$',
        maxLength: 500,
        description: 'Where to report problems; shown in security.txt.',
      }),
    ),
    run: closed({ date: day('Day of the research run.'), label: filledText('Its label.', 200) }),
    methodology: Type.Optional(
      patternField('the name of a file next to this one, such as methodology.yaml', {
        pattern: '^[A-Za-z0-9_-][A-Za-z0-9._-]*\\.yaml$',
        maxLength: 200,
        description: 'File of the methodology; methodology.yaml without it.',
      }),
    ),
    catalogAccepts: Type.Optional(CatalogAccepts),
    categories: Type.Array(
      closed({
        id: id('Word that records use.'),
        name: filledText('Name for people.', 100),
        area: id('Area that it belongs to.'),
        description: Type.Optional(textField('What belongs here.', 500)),
      }),
      { minItems: 1, description: 'Categories that records may use.' },
    ),
    capabilities: Type.Optional(
      Type.Array(
        closed({ id: dottedWord('Dotted word.'), description: textField('What it means.', 500) }),
        { description: 'Capabilities that records may name; any dotted word without this list.' },
      ),
    ),
  },
  'The catalog as a whole.',
)
export type CatalogSettings = Static<typeof CatalogSettings>

/** `vendors/ID.yaml`. */
export const AuthoredVendor = closed(
  {
    id: Type.Optional(id('The same as the name of the file.')),
    name: filledText('Name of the vendor.', 200),
    url: link('Site of the vendor.'),
    legalEntity: Type.Optional(textField('The company or person in law.', 300)),
    domain: Type.Optional(
      patternField('a domain, such as example.com', {
        pattern: '^[a-z0-9-]+(\\.[a-z0-9-]+)+$',
        maxLength: 253,
        description: 'Domain of the vendor, such as example.com.',
      }),
    ),
    domainRegistered: Type.Optional(day('Day on which the domain was registered.')),
    statusPage: Type.Optional(link('Status page.')),
    terms: Type.Optional(link('Terms of service.')),
    privacy: Type.Optional(link('Privacy policy.')),
    securityTxt: Type.Optional(oneWord('State of security.txt.', ['valid', 'none', 'expired'])),
    checked: Type.Optional(day('Day on which this was looked up.')),
    notes: Type.Optional(texts('Remarks.')),
    sources: Sources,
  },
  'A vendor.',
)
export type AuthoredVendor = Static<typeof AuthoredVendor> & { id: string }

/** One criterion of one tool: a score with its reason, or why there is none. */
export const AuthoredScore = closed({
  score: Type.Optional(Type.Integer({ minimum: 0, maximum: 10, description: 'From 0 to 10.' })),
  state: Type.Optional(
    Type.Union([Type.Literal('pending'), Type.Literal('not-applicable')], {
      description: 'Instead of a score.',
    }),
  ),
  reason: filledText('Why.'),
  evidence: Type.Optional(Type.Array(link('Where it was read.'))),
  date: Type.Optional(day('Day of the evidence.')),
})
export type AuthoredScore = Static<typeof AuthoredScore>

const AuthoredNegative = closed({
  code: id('A code of the methodology.'),
  points: Type.Integer({ minimum: -25, maximum: 0, description: 'Points that it takes.' }),
  reason: filledText('Why.'),
  source: link('Where it can be read.'),
  date: day('Day from which it counts.'),
  expires: day('Last day on which it counts.'),
})

/** A fact that closes a gate of the methodology. */
const AuthoredGate = closed({
  code: id('A gate of the methodology.'),
  reason: filledText('What was found.'),
  source: link('Where it can be read.'),
  date: day('Day since which it holds.'),
  until: Type.Optional(day('Last day on which it holds.')),
})

/** `tools/SLUG.yaml`. */
export const AuthoredTool = closed(
  {
    slug: Type.Optional(slug('The same as the name of the file.')),
    name: filledText('Name of the tool.', 200),
    vendor: Type.Optional(id('Name of a file in vendors/, without its ending; optional.')),
    kind: oneWord('What it is.', [...KINDS, 'unknown']),
    category: id('A category of catalog.yaml.'),
    summary: filledText('One sentence about it.', 500),
    ...WRITTEN_FIELDS,
    models: Type.Optional(AuthoredModels),
    connect: Type.Optional(Connect),
    unitPrices: Type.Optional(
      Type.Array(
        closed({
          item: filledText('What is sold.', 200),
          unit: filledText('What one of it is.', 100),
          usd: Type.Number({ minimum: 0, description: 'US dollars.' }),
          note: Type.Optional(textField('Remark.', 1000)),
          source: sourceLink('Where the price was read.'),
        }),
      ),
    ),
    endpointOnVendorDomain: Type.Optional(
      Type.Boolean({ description: 'Only where the addresses do not show it.' }),
    ),
    assessment: Type.Optional(
      closed({
        confidence: oneWord('How sure it is.', CONFIDENCES),
        date: day('Day of the assessment.'),
      }),
    ),
    scores: Type.Optional(
      closed(Object.fromEntries(CRITERIA.map((name) => [name, Type.Optional(AuthoredScore)]))),
    ),
    negatives: Type.Optional(Type.Array(AuthoredNegative)),
    gates: Type.Optional(Type.Array(AuthoredGate)),
    strengths: Type.Optional(texts('What is good.')),
    weaknesses: Type.Optional(texts('What is not.')),
    details: Type.Optional(Type.Array(Detail)),
    probe: Type.Optional(
      closed({
        off: Type.Optional(Type.Boolean({ description: 'Never measure this tool.' })),
        target: Type.Optional(link('What to ask; remoteUrl without it.')),
        method: Type.Optional(oneWord('How to ask.', ['GET', 'HEAD', 'POST', 'mcp'])),
      }),
    ),
    sources: Sources,
  },
  'A tool.',
)

/** The content of `tools/SLUG.md`. */
export type ToolText = { verdict: string; notes: string[]; agentNotes: string[] }

export type AuthoredTool = Omit<Static<typeof AuthoredTool>, 'scores'> & {
  slug: string
  scores?: Partial<Record<string, AuthoredScore>>
  text?: ToolText
  /** What desk reviews found, of all files that name the tool. */
  desk?: DeskFinding[]
  reply?: VendorReply
}

/** `changes/YEAR/ID.yaml`. */
export const AuthoredChange = closed(
  {
    id: Type.Optional(slug('The same as the name of the file.')),
    date: day('Day on which it takes effect.'),
    datePrecision: Type.Optional(oneWord('How exact the date is.', DATE_PRECISIONS)),
    kind: oneWord('What sort of change.', CHANGE_KINDS),
    tool: slug('The tool.'),
    name: Type.Optional(filledText('Name, where it is not that of the record.', 200)),
    what: filledText('What changes.', 4000),
    source: sourceLink('Where it was announced.'),
    announced: Type.Optional(day('Day of the announcement.')),
    replacement: Type.Optional(filledText('What to use instead: a slug or a name.', 200)),
    endsPart: Type.Optional(
      filledText('The part that ends, of a tool that goes on; a notice.', 200),
    ),
    status: Type.Optional(oneWord('Whether it still holds.', CHANGE_STATES)),
    sequence: Type.Optional(countField('Times this entry was changed.')),
    updated: Type.Optional(day('Day on which this entry last changed.')),
  },
  'A dated change.',
)
export type AuthoredChange = Static<typeof AuthoredChange> & { id: string }
