/**
 * The globs that a glob with braces stands for: `a/{b,c}` is `a/b` and `a/c`, nested too, in order.
 * Braces without a comma are literal. Undefined if there would be more than `most`; the work is
 * bounded by `most` times the square of the length.
 */
export function expandBraces(glob: string, most: number): string[] | undefined {
  const done: string[] = []
  const open = [glob]
  for (let next = open.shift(); next !== undefined; next = open.shift()) {
    const brace = firstChoice(next)
    if (!brace) done.push(next)
    else {
      const before = next.slice(0, brace.from)
      const after = next.slice(brace.to + 1)
      open.unshift(...brace.choices.map((choice) => before + choice + after))
    }
    if (done.length + open.length > most) return undefined
  }
  return done
}

/** Returns true if each brace is paired. */
export function hasPairedBraces(glob: string): boolean {
  let depth = 0
  for (const char of glob) {
    if (char === '{') depth++
    if (char === '}') depth--
    if (depth < 0) return false
  }
  return depth === 0
}

type Choice = { from: number; to: number; choices: string[] }

/** The outermost pair with a comma of its own that begins first. */
function firstChoice(glob: string): Choice | undefined {
  const open: { from: number; commas: number[] }[] = []
  let choice: Choice | undefined
  for (let at = 0; at < glob.length; at++) {
    const char = glob[at]
    if (char === '{') open.push({ from: at, commas: [] })
    if (char === ',') open.at(-1)?.commas.push(at)
    if (char !== '}') continue
    const pair = open.pop()
    if (!pair || pair.commas.length === 0 || (choice && choice.from < pair.from)) continue
    const edges = [pair.from, ...pair.commas, at]
    const choices = edges.slice(1).map((edge, i) => glob.slice((edges[i] as number) + 1, edge))
    choice = { from: pair.from, to: at, choices }
  }
  return choice
}
