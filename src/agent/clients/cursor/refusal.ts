/** Returns the refusal that Cursor understands. */
export function refusal(reason: string): object {
  return { permission: 'deny', user_message: reason, agent_message: reason }
}
