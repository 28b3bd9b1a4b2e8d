import type { Follow } from '../questions/end-question.ts'
import type { GateId } from './model/gate.ts'
import { findGateTool, noteGateYes } from './model/store.ts'
import { noteVersionYes } from './model/version-store.ts'

/** Keeps how the tool of a call was when a person allowed it; later changes are compared with it. */
export const noteYes: Follow = async (tx, { question, at }) => {
  const { status, value, test, detail } = question
  const { gate, byYes } = detail
  // A question of a hook does not show what the tool says it does.
  if (!gate || byYes || test || status !== 'answered' || value !== 'yes') return undefined
  const gateId = gate.gateId as GateId
  const tool = await findGateTool(tx, gateId, gate.tool)
  if (!tool || gate.fingerprint === null) return undefined
  const { name, fingerprint, definition } = tool
  if (fingerprint === gate.fingerprint)
    await noteGateYes(tx, gateId, name, { fingerprint, definition, at })
  else await noteVersionYes(tx, { gateId, name, fingerprint: gate.fingerprint }, at)
  return undefined
}
