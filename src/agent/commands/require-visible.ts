import { WrongUsage } from '../../platform/failure.ts'
import { isBlank, MUST_BE_SEEN } from '../../platform/text.ts'

/**
 * Throws `WrongUsage` for an argument with nothing to see, such as a script's empty variable. The
 * server refuses it too, but wrong usage should not depend on whether a server can be reached.
 */
export function requireVisible(name: string, text: string): void {
  if (isBlank(text)) throw new WrongUsage(`${name} ${MUST_BE_SEEN}.`)
}
