import { rowBytes } from '../../../platform/db/row-bytes.ts'
import type { Question } from './question.ts'

/** The size of its row, without deliveries. */
export function questionBytes(of: Question): number {
  const { question, choices, detail, targeting, key, callbackUrl } = of
  const { agentName, machineId, sessionId, repoKey } = of
  const names = [agentName, machineId, sessionId, repoKey]
  return rowBytes(question, choices, detail, targeting, key, callbackUrl, ...names)
}
