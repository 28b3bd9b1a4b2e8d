import { sha256 } from '../../platform/signing/sha256.ts'
import type { ServiceFacts, ServiceManager } from './manager.ts'

const HASH_CHARS = 16
const MARK = /Written by beckon service install, ([0-9a-f]{16})\b/

/** The file of the service, with a mark that shows whether somebody has changed it since. */
export function serviceFile(manager: ServiceManager, facts: ServiceFacts): string {
  const text = manager.render(facts)
  const mark = `Written by beckon service install, ${hashOf(text)}`
  return text.split('\n').toSpliced(manager.mark.line, 0, manager.mark.comment(mark)).join('\n')
}

/** Returns true if some version of `beckon service install` wrote `text`, and nobody changed it. */
export function isOurs({ mark }: ServiceManager, text: string): boolean {
  const lines = text.split('\n')
  const hash = MARK.exec(lines[mark.line] ?? '')?.[1]
  return hash === hashOf(lines.toSpliced(mark.line, 1).join('\n'))
}

function hashOf(text: string): string {
  return sha256(text).slice(0, HASH_CHARS)
}
