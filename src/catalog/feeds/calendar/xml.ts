import { shownLine, shownText } from '../markdown/shown-text.ts'

/** Text of several lines inside an element of XML or HTML. */
export function xmlText(text: string): string {
  return Bun.escapeHTML(shownText(text))
}

/** Text of one line: inside an element or an attribute. */
export function xmlLine(text: string): string {
  return Bun.escapeHTML(shownLine(text))
}
