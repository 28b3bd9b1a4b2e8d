const MONTHS = [
  'January',
  'February',
  'March',
  'April',
  'May',
  'June',
  'July',
  'August',
  'September',
  'October',
  'November',
  'December',
]

/** `2026-09-01` as `1 Sep 2026`, or as exact as `precision` says; other text unchanged. */
export function dateWords(day: string, precision = 'day'): string {
  if (Number.isNaN(Date.parse(day))) return day
  const [year = '', month = '1', date = '1'] = day.split('-')
  const name = MONTHS[Number(month) - 1] ?? month
  if (precision === 'year') return year
  if (precision === 'quarter') return `Q${Math.ceil(Number(month) / 3)} ${year}`
  return precision === 'month' ? `${name} ${year}` : `${Number(date)} ${name.slice(0, 3)} ${year}`
}
