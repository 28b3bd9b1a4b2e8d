import { type Static, Type } from '@sinclair/typebox'
import { Level, Mark } from './desk.ts'
import { CONFIDENCES, GRADES } from './grading.ts'
import { closed, day, openWord, patternField, textField, word } from './words.ts'

const code = word

export const Criterion = closed({
  key: code('Name of the criterion in records.'),
  name: textField('Name for people.', 100),
  weight: Type.Integer({ minimum: 0, maximum: 1000, description: 'Its weight.' }),
  question: textField('What it asks.'),
  anchors: Type.Array(
    closed({
      score: Type.Integer({ minimum: 0, maximum: 10 }),
      means: Type.String({ minLength: 1, maxLength: 1000 }),
    }),
    { minItems: 2, description: 'What a score means, in words.' },
  ),
  kinds: Type.Optional(
    Type.Array(Type.String({ maxLength: 64 }), {
      description:
        'Kinds of tools it applies to; all without it. It applies to a tool of unknown kind.',
    }),
  ),
  marks: Type.Optional(
    Type.Array(Mark, { description: 'What a desk review looks for in public documents.' }),
  ),
  levels: Type.Optional(
    Type.Array(Level, { description: 'Scores that marks earn, lowest first.' }),
  ),
})
export type Criterion = Static<typeof Criterion>

/** How grades are made: `methodology.yaml`, and its served form. */
export const Methodology = closed(
  {
    version: patternField('a version in quotes, such as "1.0"', {
      pattern: '^\\d+\\.\\d+(\\.\\d+)?$',
      maxLength: 20,
      description: 'Changes with the file.',
    }),
    date: day('Day since which it is used.'),
    summary: textField('The method in a few sentences.'),
    criteria: Type.Array(Criterion, { minItems: 1 }),
    bands: Type.Array(
      closed({
        grade: openWord('Grade.', GRADES),
        from: Type.Number({ minimum: 0, maximum: 100, description: 'Lowest score.' }),
      }),
      { minItems: 1, description: 'Highest grade first; the last one is from 0.' },
    ),
    coverage: closed({
      graded: Type.Number({ minimum: 0, maximum: 1, description: 'Below: not graded.' }),
      full: Type.Number({ minimum: 0, maximum: 1, description: 'Below: capped.' }),
      cap: openWord('Highest grade below full coverage.', GRADES),
    }),
    gates: Type.Array(
      closed({
        code: code('The gate.'),
        cap: openWord('Highest grade while it is closed.', GRADES),
        means: textField('When it closes.'),
        days: Type.Optional(Type.Integer({ minimum: 0, description: 'For gates about a date.' })),
        below: Type.Optional(
          Type.Number({ minimum: 0, maximum: 100, description: 'For gates about a measurement.' }),
        ),
        samples: Type.Optional(
          Type.Integer({ minimum: 1, description: 'The least measurements that it takes.' }),
        ),
      }),
    ),
    negatives: closed({
      floor: Type.Integer({ maximum: 0, description: 'The most that can be deducted.' }),
      codes: Type.Array(
        closed({
          code: code('What was found.'),
          points: Type.Integer({ maximum: 0, description: 'The most it takes.' }),
          means: textField('When it is used.'),
        }),
      ),
    }),
    agentReady: Type.Array(
      closed({
        code: code('The demand.'),
        means: textField('What must hold.'),
        confidence: Type.Optional(openWord('The least confidence.', CONFIDENCES)),
        grade: Type.Optional(openWord('No gate caps it below this grade.', GRADES)),
        criterion: Type.Optional(code('A criterion that must be scored.')),
        atLeast: Type.Optional(
          Type.Integer({ minimum: 0, maximum: 10, description: 'The least score of it.' }),
        ),
      }),
      { description: 'All of these must hold; not part of the score.' },
    ),
    rankFrom: openWord('Lowest confidence that is ranked.', CONFIDENCES),
  },
  'How grades are made: enough to work every grade out again.',
)
export type Methodology = Static<typeof Methodology>
