import type { Clock } from '../../../platform/clock.ts'
import type { Db } from '../../../platform/db/database.ts'
import { cleanLine } from '../../../platform/text.ts'
import type { SignedIn } from '../../pages/visit.ts'
import type { Policies } from '../model/policies.ts'
import { type ImaginedCall, type Preview, previewCall } from '../preview-call.ts'

type Deps = { db: Db; clock: Clock; policies: Policies }

const NAMES = ['toolName', 'toolTarget', 'repoKey', 'agentName', 'machineId'] as const
const TEXT_MAX = 200

/** The input of the preview, and its result if there was input. */
export type Previewed = { draft: Record<string, string>; found: Preview | undefined }

/** Reads the imagined call from the address, and plans it; changes nothing. */
export async function readPreview(deps: Deps, visit: SignedIn): Promise<Previewed> {
  const { searchParams } = visit.url
  const text = (name: string) => cleanLine(searchParams.get(name) ?? '').slice(0, TEXT_MAX)
  const asks = text('asks')
  const test = text('test')
  const draft = { ...Object.fromEntries(NAMES.map((name) => [name, text(name)])), asks, test }
  if (asks === '') return { draft, found: undefined }
  const facts = NAMES.flatMap((name) => (text(name) === '' ? [] : [[name, text(name)]]))
  const call: ImaginedCall = {
    ...Object.fromEntries(facts),
    permission: asks === 'permission',
    test: test === 'yes',
  }
  return { draft, found: await previewCall(deps, visit.person.workspaceId, call) }
}
