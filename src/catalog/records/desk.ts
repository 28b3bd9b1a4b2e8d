import { type Static, Type } from '@sinclair/typebox'
import { closed, day, filledText, link, oneWord, slug, textField, word } from './words.ts'

/** What the date of a finding is the date of. */
const DATED = ['document', 'copy', 'unknown'] as const

const FINDING = {
  mark: word('A mark of the methodology.'),
  answer: oneWord('Whether the document shows it.', ['yes', 'no']),
  says: filledText('What the document says, in own words.', 500),
  url: link('Where it was read.'),
  date: Type.Optional(day('Day of the document, or of the stored copy that was read.')),
  dated: oneWord('What the date is of; `unknown` without one.', DATED),
}

/** `desk/ID.yaml`: what public documents show of a tool, or of several that share a maker. */
export const DeskReview = closed(
  {
    id: Type.Optional(word('The same as the name of the file.')),
    read: day('Day on which the documents were read.'),
    tools: Type.Array(slug('A tool that all of it holds for.'), { minItems: 1, maxItems: 50 }),
    notes: Type.Optional(textField('What could not be read, and why.', 2000)),
    findings: Type.Array(closed(FINDING), { minItems: 1, maxItems: 200 }),
  },
  'A desk review: findings with an address and a date each.',
)
export type DeskReview = Static<typeof DeskReview>

/** A finding with the day on which its document was read. */
export type DeskFinding = DeskReview['findings'][number] & { read: string }

/** A finding as it is served beside the score that it earns. */
export const ServedFinding = closed({
  ...FINDING,
  means: textField('The mark in words.', 500),
  until: day('Last day on which it counts.'),
  counts: Type.Boolean({ description: 'False once it is too old.' }),
})
export type ServedFinding = Static<typeof ServedFinding>

/** A part of the scale of a criterion that one document can show. */
export const Mark = closed({
  key: word('Name of the mark in desk reviews.'),
  means: filledText('What holds, in a sentence.', 500),
  days: Type.Integer({ minimum: 1, maximum: 3650, description: 'Days that a finding counts.' }),
  where: Type.Optional(
    Type.Array(Type.String({ maxLength: 64 }), { description: 'Where it runs; all without it.' }),
  ),
  kinds: Type.Optional(
    Type.Array(Type.String({ maxLength: 64 }), { description: 'Kinds of tools; all without it.' }),
  ),
})
export type Mark = Static<typeof Mark>

/** A score and the marks that earn it. */
export const Level = closed({
  score: Type.Integer({ minimum: 0, maximum: 10 }),
  needs: Type.Array(Type.String({ maxLength: 64 }), { minItems: 1, description: 'Keys of marks.' }),
  alone: Type.Optional(
    Type.Boolean({ description: 'True if the levels before it need not be earned.' }),
  ),
})
export type Level = Static<typeof Level>
