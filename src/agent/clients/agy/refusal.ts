/** Returns the refusal that Antigravity CLI understands; it takes exit code 2 for a fault. */
export function refusal(reason: string): object {
  return { decision: 'deny', reason }
}
