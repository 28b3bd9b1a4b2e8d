/** Why there is no answer; for a forbidden address, how to allow it. */
export function reasonOf({ outcome, reason }: { outcome: string; reason: string }): string {
  if (outcome !== 'blocked') return reason
  return `${reason} BECKON_ALLOW_PRIVATE_HOSTS names the hosts that it may reach all the same.`
}
