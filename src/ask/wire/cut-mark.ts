const MARK = /\n… cut here: about (\d{1,12}) characters more are not shown\.\s*$/

/** The last line of a text of which about `missing` characters were left out. */
export function cutMark(missing: number): string {
  return `\n… cut here: about ${missing} characters more are not shown.`
}

/** The text that a cut mark ends, without it. */
export function withoutCutMark(text: string): string {
  return text.slice(0, -200) + text.slice(-200).replace(MARK, '')
}

/** How many characters the last line of a text says were left out; 0 if it is not a cut mark. */
export function readCutMark(text: string): number {
  const [, missing = '0'] = MARK.exec(text.slice(-200)) ?? []
  return Number(missing)
}
