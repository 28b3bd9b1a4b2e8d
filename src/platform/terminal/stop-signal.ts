import { isTerminal } from './terminal.ts'

const SIGNALS: readonly NodeJS.Signals[] = ['SIGTERM', 'SIGINT']

/**
 * Resolves to the name of the first signal that asks the process to stop; the next one, whichever
 * it is, ends it at once. Closing the terminal is one, too, unless `nohup` keeps the process from
 * it: then standard error is not the terminal.
 */
export function stopSignal(): Promise<string> {
  const signals = isTerminal(2) ? [...SIGNALS, 'SIGHUP' as const] : SIGNALS
  return new Promise((resolve) => {
    const stop = (signal: string) => {
      for (const one of signals) process.off(one, stop)
      resolve(signal)
    }
    for (const one of signals) process.on(one, stop)
  })
}
