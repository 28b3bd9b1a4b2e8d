// A person who answers at the terminal and one who looks at a phone are told soon enough.
const LOOK_MS = 500

// As it was when the hook began: the client may be gone before anybody is waited for.
const parent = process.ppid

/** Ends with the hook itself, with the client that started it, or once `isOpen` is false. */
export function watchTerminal(
  ended: AbortSignal,
  isOpen: () => boolean,
): Disposable & { signal: AbortSignal } {
  const left = new AbortController()
  // Whoever loses its parent is given to another.
  const timer = setInterval(() => {
    if (process.ppid !== parent || !isOpen()) left.abort()
  }, LOOK_MS)
  return {
    signal: AbortSignal.any([ended, left.signal]),
    [Symbol.dispose]: () => clearInterval(timer),
  }
}
