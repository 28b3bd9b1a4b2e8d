/** What Cursor takes for a no. */
export function refusal(reason: string): object {
  return { permission: 'deny', user_message: reason, agent_message: reason }
}
