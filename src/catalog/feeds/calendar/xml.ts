import { shownLine, shownText } from '../markdown/shown-text.ts'

const ENTITIES: Record<string, string> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&apos;',
}

/** Text of several lines inside an element. */
export function xmlText(text: string): string {
  return shownText(text).replace(/[&<>"']/gu, (character) => ENTITIES[character] as string)
}

/** Text of one line: inside an element or an attribute. */
export function xmlLine(text: string): string {
  return xmlText(shownLine(text))
}
