import { emitKeypressEvents } from 'node:readline'
import { cleanLine } from '../text.ts'
import { Interrupted } from './interrupted.ts'
import { fitting, lineWidth } from './live-line.ts'
import { inColour, showsColours } from './terminal.ts'

/** What a person may do, by the key that does it at once. One with `show` prints, and the choice stays. */
export type Action<K extends string> = { key: K; label: string; show?: () => void }

/** The action that ended the choice, and the rows that are on. */
type Choice<K extends string> = { key: K; isOn: readonly boolean[] }

type Key = { name?: string; ctrl?: boolean; sequence?: string }

/**
 * Shows `question` with rows that can be switched on and off, and actions below them. Arrow keys or
 * `j` and `k` move, space or a row's number switches it, Enter does what is marked, and each action
 * has its own key. Resolves to the action and the rows that are on; undefined at the end of input.
 * Throws `Interrupted` at Ctrl-C. Needs a terminal at standard input and error.
 */
export async function choose<K extends string>(
  question: string,
  rows: readonly string[],
  actions: ReadonlyArray<Action<K>>,
): Promise<Choice<K> | undefined> {
  const isOn = rows.map(() => true)
  const last = rows.length + actions.length - 1
  let at = rows.length

  const heading = `${question} ${HELP[rows.length > 0 ? 'rows' : 'actions']}`
  const lines = () => [
    ...rows.map((row, i) => `${isOn[i] ? '[x]' : '[ ]'} ${i + 1}. ${row}`),
    ...actions.map(({ key, label }) => `${label} (${key})`),
  ]
  const screen = createScreen()
  const draw = () => screen.draw([heading, ...marked(lines(), at)])

  // The terminal stays in raw mode while an action prints: no key is lost meanwhile.
  const choice = () => {
    const action = actions[at - rows.length]
    if (!action?.show) return action && { key: action.key, isOn }
    screen.end()
    action.show()
    return undefined
  }

  function press({ name, sequence = '', ctrl }: Key): Choice<K> | 'interrupted' | undefined {
    if (ctrl) return name === 'c' ? 'interrupted' : undefined
    const action = actions.findIndex(({ key }) => key === sequence)
    if (action >= 0) {
      at = rows.length + action
      return choice()
    }
    if (name === 'up' || name === 'k') at = at === 0 ? last : at - 1
    if (name === 'down' || name === 'j' || name === 'tab') at = at === last ? 0 : at + 1
    const number = Number(sequence)
    const row = number >= 1 && number <= rows.length ? number - 1 : at
    const isEnter = name === 'return' || name === 'enter'
    if (row < rows.length && (row !== at || name === 'space' || isEnter)) isOn[row] = !isOn[row]
    return isEnter ? choice() : undefined
  }

  draw()
  try {
    const end = await keys((key) => {
      const result = press(key)
      if (result === undefined) draw()
      return result
    })
    if (end === 'interrupted') throw new Interrupted()
    return end
  } finally {
    screen.end()
  }
}

const HELP = {
  rows: '↑↓ and Enter; space or a number leaves one out',
  actions: '↑↓ and Enter',
} as const

function marked(lines: readonly string[], at: number): string[] {
  const colours = showsColours(2)
  return lines.map((line, i) => {
    const text = `${i === at ? '>' : ' '} ${fitting(cleanLine(line), lineWidth() - 2)}`
    return i === at ? inColour('cyan', text, colours) : text
  })
}

/** Calls `press` with each key until it returns something; undefined at the end of input. */
async function keys<T>(press: (key: Key) => T | undefined): Promise<T | undefined> {
  const { stdin } = process
  emitKeypressEvents(stdin)
  stdin.setRawMode(true)
  stdin.resume()
  const { promise, resolve } = Promise.withResolvers<T | undefined>()
  const onKey = (_: unknown, key: Key) => {
    const result = press(key)
    if (result !== undefined) resolve(result)
  }
  const onEnd = () => resolve(undefined)
  stdin.on('keypress', onKey)
  stdin.once('end', onEnd)
  try {
    return await promise
  } finally {
    stdin.off('keypress', onKey)
    stdin.off('end', onEnd)
    stdin.setRawMode(false)
    stdin.pause()
  }
}

/** Lines at the end of standard error that are drawn again in their place. */
function createScreen() {
  let height = 0
  return {
    draw(lines: readonly string[]) {
      const up = height > 1 ? `\x1b[${height - 1}A` : ''
      process.stderr.write(`${up}\r\x1b[J${lines.join('\n')}`)
      height = lines.length
    },
    end() {
      height = 0
      process.stderr.write('\n')
    },
  }
}
