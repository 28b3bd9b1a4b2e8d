/** @jsxImportSource preact */
import { Type } from '@sinclair/typebox'
import { closed, countField, day, orNull } from '../words.ts'
import { defineField } from './field.ts'

const Popularity = closed(
  {
    githubStars: orNull(countField('Stars on GitHub.')),
    npmWeekly: orNull(countField('Downloads from npm in a week.')),
    pypiWeekly: orNull(countField('Downloads from PyPI in a week.')),
    asOf: day('Day of the last look at these numbers, else of the research run.'),
  },
  'How many use it.',
)

export const POPULARITY_NUMBERS = defineField({
  written: {
    popularity: Type.Optional(
      closed({
        githubStars: Type.Optional(orNull(countField('Stars on GitHub.'))),
        npmWeekly: Type.Optional(orNull(countField('Downloads from npm in a week.'))),
        pypiWeekly: Type.Optional(orNull(countField('Downloads from PyPI in a week.'))),
        asOf: day('Day of these numbers.'),
      }),
    ),
  },
  served: { popularity: Popularity },
  /** From the day on which the numbers were last read, or that of the run. */
  serve({ popularity }, { live, runDate }) {
    const { githubStars, npmWeekly, pypiWeekly, updatedAt } = live
    const isMeasured = [githubStars, npmWeekly, pypiWeekly].some((it) => typeof it === 'number')
    return {
      popularity: {
        githubStars: githubStars ?? popularity?.githubStars ?? null,
        npmWeekly: npmWeekly ?? popularity?.npmWeekly ?? null,
        pypiWeekly: pypiWeekly ?? popularity?.pypiWeekly ?? null,
        asOf: (isMeasured ? updatedAt?.slice(0, 10) : undefined) ?? popularity?.asOf ?? runDate,
      },
    }
  },
  page: {
    section: 'facts',
    place: 70,
    label: 'Used',
    value({ popularity: { githubStars, npmWeekly, pypiWeekly, asOf } }, { shortNumber, Day }) {
      const numbers = [
        githubStars !== null && `${shortNumber(githubStars)} stars`,
        npmWeekly !== null && `${shortNumber(npmWeekly)} a week from npm`,
        pypiWeekly !== null && `${shortNumber(pypiWeekly)} a week from PyPI`,
      ].filter(Boolean)
      if (numbers.length === 0) return undefined
      return (
        <>
          {numbers.join(', ')}
          <small>
            {' '}
            as of <Day day={asOf} />
          </small>
        </>
      )
    },
  },
  row: null,
  compare: {
    place: 150,
    label: 'Stars',
    value: ({ popularity: { githubStars } }, { shortNumber }) =>
      githubStars !== null && shortNumber(githubStars),
    best: ({ popularity: { githubStars } }) => githubStars ?? undefined,
  },
  markdown: {
    place: 210,
    label: 'Popularity',
    text({ popularity: { githubStars, npmWeekly, pypiWeekly, asOf } }) {
      const numbers = [
        ...(githubStars === null ? [] : [`${githubStars} stars on GitHub`]),
        ...(npmWeekly === null ? [] : [`${npmWeekly} npm downloads a week`]),
        ...(pypiWeekly === null ? [] : [`${pypiWeekly} PyPI downloads a week`]),
      ]
      return numbers.length === 0 ? undefined : `${numbers.join(', ')} (${asOf})`
    },
  },
  slim: null,
  mcp: null,
  imported: true,
  // Another catalog may have measured them itself.
  fromCatalogs: false,
})
