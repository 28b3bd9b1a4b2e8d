import { type Static, Type } from '@sinclair/typebox'
import { Meta } from './meta.ts'
import { closed, day, openWord, orNull, slug, sourceLink, textField, texts } from './words.ts'

const score = orNull(Type.Integer({ minimum: 0, maximum: 10 }))

const CheckAnswer = closed({
  check: textField('The check; `/api/v1/checks.json` describes it.', 64),
  answer: openWord('What it saw.', ['yes', 'no', 'unknown']),
  summary: textField('The evidence in a sentence, or why there is none.'),
  source: Type.Optional(sourceLink('Where it was read.')),
  date: Type.Optional(day('Day on which it was read or measured.')),
})

/** What checks saw of one tool, beside the scores that count. */
export const ToolChecksDocument = closed(
  {
    meta: Meta,
    slug: slug('The tool.'),
    criteria: Type.Array(
      closed({
        criterion: textField('Key of the criterion.', 64),
        proposed: { ...score, description: 'The score that checks alone show, at least; or null.' },
        proposedMost: Type.Integer({
          minimum: 0,
          maximum: 10,
          description: 'No more than this: a check says no to what is above.',
        }),
        proposedReason: textField('Why.'),
        score: { ...score, description: 'The score that counts; null while it is pending.' },
        scoreReason: textField('The reason of the curator.'),
        checks: Type.Array(CheckAnswer),
      }),
    ),
  },
  'What checks saw of one tool.',
)
export type ToolChecksDocument = Static<typeof ToolChecksDocument>

/** All checks, and the scores that they can show. */
export const ChecksDocument = closed(
  {
    meta: Meta,
    checks: Type.Array(
      closed({
        key: textField('Name of the check.', 64),
        criterion: textField('Key of its criterion.', 64),
        question: textField('What is asked.'),
        looksAt: textField('What is looked at.'),
        limits: textField('What it does not show.'),
        raises: textField('What would make the answer yes.'),
        daysMost: Type.Integer({ minimum: 1, description: 'Older evidence does not count.' }),
        kinds: Type.Optional(texts('Kinds of tools it is for; all without it.', 64)),
      }),
    ),
    ladders: Type.Array(
      closed({
        criterion: textField('Key of the criterion.', 64),
        score: Type.Integer({ minimum: 0, maximum: 10 }),
        needs: texts('Checks answered with yes, besides those of lower scores.', 64),
      }),
      { description: 'Scores that checks alone can show.' },
    ),
  },
  'The checks.',
)
export type ChecksDocument = Static<typeof ChecksDocument>
