/**
 * Returns the refusal that Copilot CLI understands; VS Code, which runs the same hook, takes exit
 * code 2.
 */
export function refusal(reason: string): object {
  return { permissionDecision: 'deny', permissionDecisionReason: reason }
}
