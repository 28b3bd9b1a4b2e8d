import type { Check, CheckedTool } from './check.ts'
import { daysBetween, hasField, measured, unknown, written } from './evidence.ts'

const YEAR = 365
const NOTICE_DAYS = 90
const SERVED = ['http-api', 'mcp', 'model', 'platform']

/** The newest day on which something was released, and where that was read. */
function newestRelease({ tool }: CheckedTool) {
  const { versions, repository } = tool.live
  const dated = versions.flatMap(({ registry, name, version, released, seenAt }) =>
    released ? [{ day: released, at: seenAt, summary: `${name} ${version} on ${registry}` }] : [],
  )
  const newest = dated.sort((a, b) => (a.day < b.day ? 1 : -1))[0]
  if (newest) return { ...newest, source: repository?.url }
  if (!tool.lastRelease) return undefined
  const source = tool.provenance.sources?.find(({ facts }) => facts.includes('lastRelease'))
  return {
    day: tool.lastRelease,
    at: source?.read ?? tool.lastRelease,
    summary: 'the release that the record names',
    source: source?.url,
  }
}

/** Checks of maintenance, transparency, performance and payments. */
export const VENDOR_CHECKS: readonly Check[] = [
  releasedWithin('release-in-a-year', YEAR, 'a year'),
  releasedWithin('release-in-two-years', 2 * YEAR, 'two years'),
  {
    key: 'changelog',
    criterion: 'maintenance',
    question: 'Is there a log of changes?',
    looksAt: 'the changelog that the record names',
    limits: 'Whether it is complete is not seen.',
    raises: 'Publish one.',
    daysMost: YEAR,
    look: (checked) => {
      const { changelog: value } = checked.tool.provenance
      return hasField(checked, { field: 'changelog', value, means: 'changelog' })
    },
  },
  {
    key: 'not-archived',
    criterion: 'maintenance',
    question: 'Is its repository open for work?',
    looksAt: 'the archive flag of the repository on GitHub',
    limits: 'Of a hosted service the repository may be a client.',
    raises: 'Keep the repository open.',
    daysMost: 30,
    look({ tool }) {
      const { repository } = tool.live
      if (!repository) return unknown('The repository was not asked here.')
      const { archived, checkedAt, url } = repository
      const summary = archived ? 'Its owner archived it.' : 'It is not archived.'
      return measured(archived ? 'no' : 'yes', { at: checkedAt, summary, source: url })
    },
  },
  {
    key: 'announced-ends',
    criterion: 'maintenance',
    question: `Were ends and breaking changes announced ${NOTICE_DAYS} days before?`,
    looksAt: 'the dated changes of this catalog',
    limits: 'Changes that nobody entered are not seen.',
    raises: 'Announce with a date.',
    daysMost: 2 * YEAR,
    look({ changes }) {
      const ends = changes.filter(({ kind }) => kind === 'shutdown' || kind === 'breaking')
      const dated = ends.flatMap((one) => (one.announced ? [{ ...one, day: one.announced }] : []))
      const newest = dated.sort((a, b) => (a.date < b.date ? 1 : -1))[0]
      if (!newest) return unknown('No end or breaking change with a day of announcement is known.')
      const short = dated.find(({ day, date }) => daysBetween(day, date) < NOTICE_DAYS)
      const { day, date, source } = short ?? newest
      const summary = `Announced ${daysBetween(day, date)} days before ${date}.`
      return { answer: short ? 'no' : 'yes', summary, source, date: day }
    },
  },
  {
    key: 'licence',
    criterion: 'transparency',
    question: 'Is its licence known?',
    looksAt: 'the licence that the record names',
    limits: 'Folders with other licences are not seen.',
    raises: 'State it in the package and the repository.',
    daysMost: YEAR,
    kinds: ['framework', 'mcp', 'protocol'],
    look: (checked) => {
      const { license: value } = checked.tool
      return hasField(checked, { field: 'license', value, means: 'licence' })
    },
  },
  {
    key: 'vendor',
    criterion: 'transparency',
    question: 'Is it known who makes it?',
    looksAt: 'the vendor of the record',
    limits: 'A name is not a company in law.',
    raises: 'Say who you are.',
    daysMost: YEAR,
    look: ({ tool }) =>
      tool.vendor
        ? written('yes', { tool, field: 'name', summary: `It is made by ${tool.vendor}.` })
        : unknown('The record names nobody.'),
  },
  publicPage('terms', 'terms of service', ({ tool }) => tool.provenance.terms),
  publicPage('privacy', 'privacy policy', ({ tool }) => tool.provenance.privacy),
  {
    key: 'prices',
    criterion: 'transparency',
    question: 'Are prices public?',
    looksAt: 'unit prices of the record, or that it is free',
    limits: 'Fees beside the listed ones are not seen.',
    raises: 'Publish prices without a sign-in.',
    daysMost: YEAR,
    look({ tool }) {
      if (tool.pricing === 'free')
        return written('yes', { tool, field: 'pricing', summary: 'It is free.' })
      const [price] = tool.unitPrices
      if (!price) return unknown('The record names no unit price.')
      const summary = `${price.item}: $${price.usd} for ${price.unit}.`
      const evidence = written('yes', { tool, field: 'priceSummary', summary })
      return price.source ? { ...evidence, source: price.source } : evidence
    },
  },
  publicPage('rateLimitsUrl', 'page of limits', ({ tool }) => tool.rateLimitsUrl),
  {
    key: 'call-payment',
    criterion: 'payments',
    question: 'Can calls be paid one by one?',
    looksAt: 'what the record says of x402',
    limits: 'No payment is made here.',
    raises: 'Take payments per call.',
    daysMost: YEAR,
    kinds: SERVED,
    look({ tool }) {
      if (!tool.x402) return unknown('The record does not say whether it takes x402.')
      const { level, evidence = '' } = tool.x402
      const summary = `x402: ${level}. ${evidence}`.trim()
      return written(level === 'no' ? 'no' : 'yes', { tool, field: 'x402', summary })
    },
  },
  {
    key: 'asked-price',
    criterion: 'payments',
    question: 'Is the listed price the one that is asked?',
    looksAt: 'the terms of an unpaid call beside the listed price',
    limits: 'An unpaid call is all that is made.',
    raises: 'List what is asked.',
    daysMost: 14,
    kinds: SERVED,
    look({ tool }) {
      const check = tool.live.x402?.find(({ answer }) => answer === 'terms')
      if (!check || !tool.x402) return unknown('No terms of payment were read here.')
      const wrong = tool.x402.disagreements?.length ?? 0
      const summary = wrong === 0 ? 'The terms agree with the record.' : `${wrong} differ.`
      return measured(wrong === 0 ? 'yes' : 'no', {
        at: check.checkedAt,
        summary,
        source: check.url,
      })
    },
  },
]

function releasedWithin(key: string, days: number, words: string): Check {
  return {
    key,
    criterion: 'maintenance',
    question: `Was something released within ${words}?`,
    looksAt: 'the newest dated release on npm, PyPI or GitHub, or in the record',
    limits: 'A release may be small; a service may change without one.',
    raises: 'Release.',
    daysMost: YEAR,
    look(checked) {
      const newest = newestRelease(checked)
      if (!newest) return unknown('No release with a day is known.')
      const { day, summary, at, source } = newest
      const isRecent = daysBetween(day, checked.today) <= days
      // An old release says nothing of those after it was read.
      if (!isRecent && daysBetween(at, checked.today) > 30)
        return unknown(`The newest known release is of ${day}; later ones were not looked for.`)
      return measured(isRecent ? 'yes' : 'no', { at, summary: `${day}: ${summary}.`, source })
    },
  }
}

function publicPage(
  field: string,
  means: string,
  read: (checked: CheckedTool) => string | undefined,
): Check {
  return {
    key: field === 'rateLimitsUrl' ? 'limits' : field,
    criterion: 'transparency',
    question: `Is there a public ${means}?`,
    looksAt: 'the address that the record names',
    limits: 'What it says is not judged.',
    raises: 'Publish it.',
    daysMost: YEAR,
    look: (checked) => hasField(checked, { field, value: read(checked), means }),
  }
}
