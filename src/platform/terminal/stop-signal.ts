const SIGNALS = ['SIGTERM', 'SIGINT'] as const

/**
 * Resolves to the name of the first signal that asks the process to stop; the next one, whichever
 * it is, ends it at once.
 */
export function stopSignal(): Promise<string> {
  return new Promise((resolve) => {
    const stop = (signal: string) => {
      for (const one of SIGNALS) process.off(one, stop)
      resolve(signal)
    }
    for (const one of SIGNALS) process.on(one, stop)
  })
}
