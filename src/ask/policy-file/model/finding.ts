import { cleanLine, cutText } from '../../../platform/text.ts'

/**
 * Something to know about a policy file. An error keeps it from being applied; a warning says that
 * it would not do what it seems to; a note says what to think of.
 */
export type Finding = {
  level: 'error' | 'warning' | 'note'
  /** From 1; 0 for the file as a whole. */
  line: number
  /** The field, such as `rules[0].approve.need`; empty for the whole file. */
  field: string
  /** A predicate of the field, such as `must be at least 1`. */
  must: string
}

const FIELD_MAX = 120

/** `policy.yaml:12 rules[0].approve.need: must be at least 1` */
export function findingLine(file: string, { level, line, field, must }: Finding): string {
  const place = line > 0 ? `${file}:${line}` : file
  const kind = level === 'error' ? '' : `${level}: `
  const what = field === '' ? '' : ` ${cutText(field, FIELD_MAX)}`
  return cleanLine(`${place}${what}: ${kind}${must}`)
}
