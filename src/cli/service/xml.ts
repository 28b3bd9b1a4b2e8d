import { WrongUsage } from '../../platform/failure.ts'
import { isOneLine } from './manager.ts'

const ENTITIES: Record<string, string> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&apos;',
}

/**
 * Text of an XML element. Throws `WrongUsage` for text of more than one line, which XML would
 * change.
 */
export function escapeXml(text: string): string {
  if (!isOneLine(text) || /[\ufffe\uffff]/.test(text)) {
    throw new WrongUsage(`${JSON.stringify(text)} has a line break or another control character.`)
  }
  return text.replace(/[&<>"']/g, (character) => ENTITIES[character] ?? character)
}

/** The original text of `escapeXml`. */
export function unescapeXml(text: string): string {
  const entities = Object.entries(ENTITIES)
  return text.replace(
    /&\w+;/g,
    (entity) => entities.find(([, one]) => one === entity)?.[0] ?? entity,
  )
}
