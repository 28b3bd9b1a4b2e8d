import { type Static, Type } from '@sinclair/typebox'
import { closed, day, link, openWord, orNull, sourceLink, textField, texts } from './words.ts'

/** One check of the provenance score, and where it was read. */
export const ProvenanceCheck = closed({
  name: Type.String({ description: 'The field that was checked.' }),
  held: Type.Boolean({ description: 'Whether it counts in the score.' }),
  result: Type.String({ description: 'What was found.' }),
  source: Type.Optional(sourceLink('Where it was read.')),
  path: Type.Optional(
    textField(
      'Where in that document, or as `FILE#…` in another beside it; only of an imported field.',
      2000,
    ),
  ),
  checked: Type.Optional(day('Day on which it was read.')),
})
export type ProvenanceCheck = Static<typeof ProvenanceCheck>

/** A page that is a source of the record or its vendor. */
export const ProvenanceSource = closed({
  url: sourceLink('Where it was read.'),
  read: day('Day on which it was read.'),
  facts: texts('Fields that it shows.', 64),
})
export type ProvenanceSource = Static<typeof ProvenanceSource>

/** The vendor of a tool. */
export const Provenance = closed(
  {
    legalEntity: textField('The company or person in law; empty when not known.', 300),
    domain: textField('The domain of the vendor; empty when not known.', 253),
    domainRegistered: orNull(day('Day on which the domain was registered.')),
    endpointOnVendorDomain: orNull(
      Type.Boolean({ description: 'Whether the endpoint is on the domain of the vendor.' }),
    ),
    terms: Type.Optional(link('Terms of service.')),
    privacy: Type.Optional(link('Privacy policy.')),
    statusPage: Type.Optional(link('Status page.')),
    changelog: Type.Optional(link('Changelog.')),
    securityTxt: orNull(
      openWord('State of security.txt (RFC 9116).', ['valid', 'none', 'expired']),
    ),
    checked: orNull(day('Day on which this was looked up.')),
    score: orNull(Type.Number({ minimum: 0, maximum: 100, description: 'Score of provenance.' })),
    notes: Type.Optional(texts('Remarks.')),
    checks: Type.Optional(
      Type.Array(ProvenanceCheck, {
        description:
          'In the document of one tool: what the score is made of, then where each imported field was read.',
      }),
    ),
    sources: Type.Optional(
      Type.Array(ProvenanceSource, { description: 'In the document of one tool: what was read.' }),
    ),
  },
  'The vendor of the tool.',
)
export type Provenance = Static<typeof Provenance>
