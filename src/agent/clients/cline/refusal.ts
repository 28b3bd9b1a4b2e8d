/** Returns the refusal that Cline understands; it takes exit code 2 for a fault. */
export function refusal(reason: string): object {
  return { cancel: true, errorMessage: reason }
}
