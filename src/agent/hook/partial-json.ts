/**
 * The value of a JSON text that was cut off: whatever is whole, without the text or number that
 * was being said. Undefined when there is nothing to be saved.
 */
export function readPartialJson(text: string): unknown {
  const open: string[] = []
  let inText = false
  let whole = 0
  for (let at = 0; at < text.length; at++) {
    const char = text[at]
    if (inText) {
      if (char === '\\') at++
      else if (char === '"') inText = false
    } else if (char === '"') inText = true
    else if (char === '{' || char === '[') {
      open.push(char === '{' ? '}' : ']')
      whole = at + 1
    } else if (char === '}' || char === ']') {
      open.pop()
      whole = at + 1
    } else if (char === ',') whole = at
  }
  try {
    return JSON.parse(text.slice(0, whole) + open.reverse().join(''))
  } catch {
    return undefined
  }
}
