const NAMED: Readonly<Record<string, string>> = {
  a: '\x07',
  b: '\b',
  e: '\x1B',
  E: '\x1B',
  f: '\f',
  n: '\n',
  r: '\r',
  t: '\t',
  v: '\v',
}
const ESCAPE =
  /\\(?:x([0-9a-fA-F]{1,2})|u([0-9a-fA-F]{1,4})|U([0-9a-fA-F]{1,8})|([0-7]{1,3})|c([\s\S])|([\s\S]))/g

/** What stands in `$'…'`. Bytes past 7F are put together as UTF-8, like the shell's output is. */
export function unescapeAnsi(text: string): string {
  const bytes: Buffer[] = []
  let last = 0
  for (const match of text.matchAll(ESCAPE)) {
    bytes.push(Buffer.from(text.slice(last, match.index)))
    last = match.index + match[0].length
    const [, hex, short, long, octal, control, char] = match
    const code = short ?? long
    if (code !== undefined) bytes.push(Buffer.from(character(Number.parseInt(code, 16))))
    else if (hex !== undefined) bytes.push(Buffer.of(Number.parseInt(hex, 16)))
    else if (octal !== undefined) bytes.push(Buffer.of(Number.parseInt(octal, 8) & 0xff))
    else if (control !== undefined) bytes.push(Buffer.of(control.charCodeAt(0) & 0x1f))
    else
      bytes.push(
        Buffer.from(NAMED[char ?? ''] ?? (/["'?\\]/.test(char ?? '') ? `${char}` : `\\${char}`)),
      )
  }
  bytes.push(Buffer.from(text.slice(last)))
  // The shell's own words end at a NUL.
  return Buffer.concat(bytes).toString('utf8').replace(/\0.*$/s, '')
}

function character(code: number): string {
  return code > 0x10ffff ? '\uFFFD' : String.fromCodePoint(code)
}
