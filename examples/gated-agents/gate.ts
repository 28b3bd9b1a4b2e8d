const { BECKON_URL, BECKON_TOKEN, BECKON_GATE } = process.env
if (!BECKON_URL || !BECKON_TOKEN || !BECKON_GATE) {
  throw new Error(
    'BECKON_URL, BECKON_TOKEN and BECKON_GATE (the name of the gate) are not all set.',
  )
}

/** How long the agent waits for one tool call. */
export const WAIT_MS = 620_000

/** The server behind the gate, as any MCP client takes it. The gate answers before the agent gives up. */
export const gate = {
  name: BECKON_GATE,
  url: `${BECKON_URL}/gate/${BECKON_GATE}`,
  headers: {
    Authorization: `Bearer ${BECKON_TOKEN}`,
    'X-Beckon-Hold': String(WAIT_MS / 1000 - 20),
  },
}

export const model = process.env.MODEL ?? 'gpt-5.4-mini'

export const task = process.argv.slice(2).join(' ')
if (!task) throw new Error('Say what the agent shall do, as the words after the file.')
