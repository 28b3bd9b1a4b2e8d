/** What a server says its tool does to the world. Its own word: it may raise a question, never spare one. */
export type ToolHints = Partial<
  Record<'readOnly' | 'destructive' | 'idempotent' | 'openWorld', boolean>
>

/** One part of a tool that differs from what a person saw last. */
export type ToolChange = { part: string; before: string; after: string }

/** The tool behind a gate that a question is about, as it was when it was asked. */
export type GatedCall = {
  gateId: string
  /** The name of the gate. */
  gate: string
  /** The command line or URL of the server, secrets redacted. */
  server: string
  /** The server's own name of the tool. */
  tool: string
  title?: string
  /** What the tool says it does. */
  description?: string
  hints?: ToolHints
  /** `unlisted`: not in the list that its server gives now. */
  /** Its fingerprint; null if it is not in the list. */
  fingerprint: string | null
  state: 'new' | 'same' | 'changed' | 'unlisted'
  /** An owner confirmed the tool as it is now, and the client was listed it so. */
  confirmed?: true
  changes?: ToolChange[]
  /** Not all of the call is shown: it is answered on the page only. */
  cut?: true
}
