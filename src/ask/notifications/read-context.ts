import { cleanLine, cleanText } from '../../platform/text.ts'
import type { NotificationContext } from '../wire/notification-fields.ts'

/** The detail page's texts without control and bidi characters; its shape is unchanged. */
export function readContext(context: NotificationContext): NotificationContext {
  return mapTexts(context) as NotificationContext
}

// Paths and list items are one line each; the rest may have paragraphs.
const ONE_LINE = new Set(['errorFile', 'details', 'filesChanged', 'options'])

function mapTexts(value: unknown, field = ''): unknown {
  if (typeof value === 'string') return ONE_LINE.has(field) ? cleanLine(value) : cleanText(value)
  if (Array.isArray(value)) return value.map((item) => mapTexts(item, field))
  if (value === null || typeof value !== 'object') return value
  return Object.fromEntries(
    Object.entries(value).map(([key, inner]) => [key, mapTexts(inner, key)]),
  )
}
