const ENCODER = new TextEncoder()

/** The body of a reply, written piece by piece; its writer waits for a slow reader. */
export class ReplyBody {
  readonly stream: ReadableStream<Uint8Array>
  #sink: ReadableStreamDefaultController<Uint8Array> | undefined
  #wanted: (() => void) | undefined
  #isOver = false

  /** `onGone` is called when the reader leaves before the end. */
  constructor(onGone: () => void) {
    this.stream = new ReadableStream<Uint8Array>({
      start: (sink) => {
        this.#sink = sink
      },
      pull: () => this.#goOn(),
      cancel: () => {
        this.#isOver = true
        this.#goOn()
        onGone()
      },
    })
  }

  get isOver(): boolean {
    return this.#isOver
  }

  write(content: Uint8Array | string): void {
    if (this.#isOver) return
    this.#sink?.enqueue(typeof content === 'string' ? ENCODER.encode(content) : content)
  }

  /** Resolves once the reader takes more, or is gone. */
  async ready(): Promise<void> {
    if (this.#isOver || (this.#sink?.desiredSize ?? 0) > 0) return
    const { promise, resolve } = Promise.withResolvers<void>()
    this.#wanted = resolve
    await promise
  }

  end(): void {
    if (this.#isOver) return
    this.#isOver = true
    this.#sink?.close()
    this.#goOn()
  }

  /** Breaks off, as the body that it passes on has. */
  fail(error: unknown): void {
    if (this.#isOver) return
    this.#isOver = true
    this.#sink?.error(error)
    this.#goOn()
  }

  #goOn(): void {
    this.#wanted?.()
    this.#wanted = undefined
  }
}
