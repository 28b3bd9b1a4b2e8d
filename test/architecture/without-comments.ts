const PLAIN = /[^'"`{}/]+/y
const STRING = /'(?:\\.|[^'\\\n])*'|"(?:\\.|[^"\\\n])*"/y
const COMMENT = /\/\*[\s\S]*?\*\/|\/\/[^\n]*/y
const PATTERN = /\/(?![*/])(?:\\.|\[(?:\\.|[^\]\\\n])*\]|[^/\\[\n])+\//y
/** A template, or a stretch of one, from its beginning or from the end of a `${…}`. */
const TEMPLATE = /[`}](?:\\[\s\S]|\$(?!\{)|[^\\`$])*(?:`|\$\{)/y

// Where a `/` is no division, and where two of them are not in the middle of an address.
const BEFORE_PATTERN = /(?:^|[(,=:[!&|?{};+\n]|=>|\breturn|\bcase)\s*$/
const BEFORE_COMMENT = /(?:^|[\s;{}(),])$/
const LOOK_BACK = 40

/**
 * TypeScript with blanks for its comments, so that every line stays where it is. Strings, templates
 * and patterns stay as they are, also where something inside of them looks like a comment.
 */
export function withoutComments(text: string): string {
  let code = ''
  // For each `${…}` that we are in: how many braces are open inside.
  const braces: number[] = []
  const next = (shape: RegExp) => {
    shape.lastIndex = code.length
    return shape.exec(text)?.[0]
  }

  while (code.length < text.length) {
    const sign = text[code.length] as string
    const before = code.slice(-LOOK_BACK)
    const isEnd = sign === '}' && braces.at(-1) === 0
    const template = sign === '`' || isEnd ? next(TEMPLATE) : undefined
    if (template) {
      if (isEnd) braces.pop()
      if (template.endsWith('${')) braces.push(0)
      code += template
      continue
    }
    if (sign === '{' || sign === '}') {
      const inside = braces.pop()
      if (inside !== undefined) braces.push(inside + (sign === '{' ? 1 : -1))
    }
    const comment = BEFORE_COMMENT.test(before) ? next(COMMENT) : undefined
    if (comment) {
      code += comment.replace(/[^\n]/g, ' ')
      continue
    }
    const pattern = sign === '/' && BEFORE_PATTERN.test(before) ? next(PATTERN) : undefined
    code += pattern ?? next(STRING) ?? next(PLAIN) ?? sign
  }
  return code
}
