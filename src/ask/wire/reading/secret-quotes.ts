import { PUT_IN } from '../../../platform/redact/bar.ts'
import { findSecrets } from '../../../platform/redact/redact.ts'
import type { SyntaxNode, WordNode, WordPart } from './parse.ts'
import type { Span } from './reading.ts'
import { joined, type ShellText, straight, unescaped } from './shell-texts.ts'

/**
 * The secrets in a word of several parts, which no pattern sees as one value:
 * `A_TOKEN=a"b"`, `A_TOKEN=${B:-c}`.
 */
export function quotedSecretsOf(node: SyntaxNode, source: string): Span[] {
  const isSetting = node.type === 'Assignment'
  const word = isSetting ? node.value : node
  if (word?.type !== 'Word') return []
  const isWhole = !word.parts && word.text === word.value && !(isSetting && node.append)
  const hasParts = (word.parts?.length ?? 0) > 1 && !/\s/.test(word.value)
  if (isSetting ? isWhole : !hasParts) return []
  const { text, at } = joined([
    ...(isSetting ? [straight(`${node.name}=`, word.pos - (node.name ?? '').length - 1)] : []),
    literalsOf(word),
  ])
  // Characters that end a value without quotes are part of this one.
  const secrets = findSecrets(text.replace(/[\s"'`\\;&|<>()]/g, '_'))
  return secrets.flatMap(({ from, to }) =>
    placesOf(text.slice(from, to), at.slice(from, to), source),
  )
}

/** Where letters stand in the source: what a shell puts in, and quotes, are not among them. */
function placesOf(text: string, at: readonly number[], source: string): Span[] {
  const places: [from: number, to: number][] = []
  for (const [index, place] of at.entries()) {
    if (text[index] === PUT_IN) continue
    const last = places.at(-1)
    if (last && /^\\*$/.test(source.slice(last[1], place))) last[1] = place + 1
    else places.push([place, place + 1])
  }
  return places
}

function literalsOf(word: WordNode): ShellText {
  return word.parts ? joined(word.parts.map(literalOf)) : unescaped(word)
}

const WITH_VALUE = new Set(['-', ':-', '=', ':=', '+', ':+'])

function literalOf(part: WordPart): ShellText {
  switch (part.type) {
    case 'SingleQuoted':
      return straight(part.value, part.pos + 1)
    case 'DoubleQuoted':
      return joined(part.parts.map(literalOf))
    case 'Literal':
      return unescaped(part)
    case 'ParameterExpansion': {
      const { operation } = part
      if (operation?.type !== 'Default' || !WITH_VALUE.has(operation.operator)) break
      const sign = straight(PUT_IN, part.pos)
      return operation.operand ? joined([sign, literalsOf(operation.operand)]) : sign
    }
  }
  return straight(PUT_IN, part.pos)
}
