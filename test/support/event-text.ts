type Json = Record<string, unknown>

/** The text of a stream of events as it comes. */
export type EventText = {
  /** Reads on until the text so far fits; fails when the stream ends before. */
  until(fits: (text: string) => boolean): Promise<string>
  /** Reads to the end. */
  rest(): Promise<string>
  /** The messages so far. */
  messages(): Json[]
  cancel(): Promise<void>
}

export function eventText(response: Response): EventText {
  const reader = (response.body as ReadableStream<Uint8Array>).getReader()
  const decoder = new TextDecoder()
  let text = ''

  async function more(): Promise<boolean> {
    const { value, done } = await reader.read()
    if (value) text += decoder.decode(value, { stream: true })
    return !done
  }

  return {
    async until(fits) {
      while (!fits(text)) if (!(await more())) throw new Error(`the stream ended with: ${text}`)
      return text
    },
    async rest() {
      while (await more());
      return text
    },
    messages: () => [...text.matchAll(/^data: (.*)$/gm)].map(([, data]) => JSON.parse(data ?? '')),
    cancel: () => reader.cancel(),
  }
}
