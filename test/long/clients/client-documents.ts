import type { ClientMetadata } from '../../../src/ask/oauth/model/client.ts'
import { putClient } from '../../../src/ask/oauth/model/client-store.ts'
import { openDataFolder } from '../../../src/platform/db/data-folder.ts'
import type { ClientWorld } from './world.ts'

/**
 * What clients say of themselves at their own addresses, which a machine without the internet
 * cannot fetch: as their trackers quote it (anthropics/claude-code#42301, github/copilot-cli#4793).
 * Of Codex only the address is known, and that others let it back to `/callback` on any port.
 */
const DOCUMENTS: Record<string, Pick<ClientMetadata, 'name' | 'redirectUris'>> = {
  'https://claude.ai/oauth/claude-code-client-metadata': {
    name: 'Claude Code',
    redirectUris: ['http://localhost/callback', 'http://127.0.0.1/callback'],
  },
  'https://chatgpt.com/oauth/codex/client.json': {
    name: 'Codex',
    redirectUris: ['http://127.0.0.1/callback', 'http://localhost/callback'],
  },
  'https://github.com/copilot/cli/client-metadata.json': {
    name: 'GitHub Copilot CLI',
    // Quoted with `/` for 1.0.83; 1.0.102 asks for `/callback`, and whether its document does was not seen.
    redirectUris: ['http://127.0.0.1:33418/', 'http://127.0.0.1:33418/callback'],
  },
}

const DAY_MS = 24 * 3_600_000

/** Puts the documents where fetched ones are kept, and starts the server again. */
export async function knownDocuments(world: ClientWorld): Promise<void> {
  await world.killServer('SIGTERM')
  const now = Date.now()
  {
    await using db = openDataFolder(world.house.data)
    await db.write(async (tx) => {
      for (const [id, metadata] of Object.entries(DOCUMENTS)) {
        await putClient(tx, {
          ...{ id, ...metadata, kind: 'document', authMethod: 'none', refreshes: true },
          ...{ secretHash: null, workspaceId: null, createdBy: null, usedAt: null },
          ...{ createdAt: now, freshUntil: now + DAY_MS },
        })
      }
    })
  }
  await world.startServer()
}
