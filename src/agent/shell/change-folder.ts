import type { Call, Outcome } from './call.ts'
import { type Arg, argOf, type Places, UNKNOWN } from './notes.ts'

export const FOLDER_COMMANDS = new Set(
  'cd chdir pushd popd set-location sl push-location pop-location Set-Location Push-Location Pop-Location'.split(
    ' ',
  ),
)

/** `cd` and its like: where the next command runs, and where if the folder is not there. */
export function changeFolder(name: string, args: readonly Arg[], call: Call): Outcome {
  const { shell, places } = call
  const operands = args.filter(({ text }) => !/^-[LPe@n]+$|^-(Literal)?Path$|^--$/i.test(text))
  const to = operands[0]
  const pushes = /^push/i.test(name)
  if (/^pop/i.test(name)) {
    const back = shell.stack.pop() ?? [UNKNOWN]
    return { ok: back, fail: places }
  }
  if (pushes) shell.stack.push(places)
  if ((to === undefined && pushes) || /^([-+]|[-+]\d+)$/.test(to?.text ?? ''))
    return { ok: [UNKNOWN], fail: places }
  const next = shell.notes.enter(to ?? argOf('~', undefined), places)
  return { ok: next, fail: isThere(next, call) ? [] : places }
}

function isThere(next: Places, { shell }: Call): boolean {
  return next.every(
    (place) => place !== UNKNOWN && (/^~\/?$/.test(place) || shell.notes.isFolderNow(place)),
  )
}
