/** What Cline takes for a no; it takes exit code 2 for a fault. */
export function refusal(reason: string): object {
  return { cancel: true, errorMessage: reason }
}
