import { forEachChild, type ParsedScript, parse, type SyntaxNode } from 'unbash'

export type {
  ArithmeticExpression,
  Assignment,
  Command as CommandNode,
  ParameterExpansionPart,
  ParsedScript,
  Redirection,
  SyntaxNode,
  TestExpression,
  Word as WordNode,
  WordPart,
} from 'unbash'

/** A longer text is not read. */
export const TEXT_MAX = 20_000
// Nested arithmetic takes the parser more than linear time.
const ARITHMETIC_MAX = 30
// Every level is parsed again when it is read.
const LEVELS_MAX = 64

/** The syntax tree of a text; undefined if it has an error or is too large to be read. */
export function parseShell(text: string): ParsedScript | undefined {
  if (isTooLarge(text)) return undefined
  // The meaning of a backslash at the end depends on the shell.
  if (/(^|[^\\])(\\\\)*\\$/.test(text)) return undefined
  const script = parse(text)
  return script.errors && script.errors.length > 0 ? undefined : script
}

/** Returns true if a text is so long, or has so many levels, that it is not read. */
export function isTooLarge(text: string): boolean {
  if (text.length > TEXT_MAX || text.split('((').length > ARITHMETIC_MAX) return true
  let level = 0
  for (const sign of text) {
    if (sign === '(') level++
    else if (sign === ')') level--
    if (level > LEVELS_MAX) return true
  }
  return false
}

/** Calls `visit` with a node and with every node below it, those of nested scripts included. */
export function walkTree(node: SyntaxNode, visit: (node: SyntaxNode) => void): void {
  const todo = [node]
  for (let next = todo.pop(); next; next = todo.pop()) {
    visit(next)
    const below: SyntaxNode[] = []
    forEachChild(next, (child) => {
      below.push(child)
    })
    for (const child of below.reverse()) todo.push(child)
  }
}

/**
 * As `walkTree`, without the commands between backticks: their places are in a text of their own,
 * from which the parser has taken the escapes.
 */
export function walkOwn(script: SyntaxNode, visit: (node: SyntaxNode) => void): void {
  const others = new Set<SyntaxNode>()
  walkTree(script, (node) => {
    if (others.has(node)) return
    if (node.type === 'Script' && node !== script && node.source !== undefined)
      walkTree(node, (inner) => others.add(inner))
    else visit(node)
  })
}
