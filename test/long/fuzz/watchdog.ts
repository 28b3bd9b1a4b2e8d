import { writeSync } from 'node:fs'

/**
 * Runs beside the fuzzing, in a thread of its own: an input that never ends would hold the thread
 * that tries it for ever. It says which one, and ends the process.
 */
const CHECK_MS = 500

export type Watched = { counts: SharedArrayBuffer; words: SharedArrayBuffer; patienceMs: number }

declare const self: { onmessage: (event: { data: Watched }) => void }

self.onmessage = ({ data: { counts, words, patienceMs } }) => {
  const numbers = new Int32Array(counts)
  let seen = -1
  let since = Date.now()
  setInterval(() => {
    const now = Atomics.load(numbers, 0)
    // 0: nothing is being tried.
    if (now !== seen || now === 0) {
      seen = now
      since = Date.now()
      return
    }
    if (Date.now() - since < patienceMs) return
    const text = new TextDecoder().decode(new Uint8Array(words).slice(0, Atomics.load(numbers, 1)))
    writeSync(2, `\nHANGS: an input is not done after ${patienceMs / 1_000} s: ${text}\n`)
    process.kill(process.pid, 'SIGKILL')
  }, CHECK_MS)
}
