import { splitName } from './agent-name.tsx'

/**
 * Returns the name of a repository for people. Without a remote its key is a hash: then its
 * folder's name, which the name of an agent in it ends with, or as much of the hash as tells two
 * apart.
 */
export function repositoryName(repoKey: string, agentName?: string): string {
  const hash = /^path:([0-9a-f]{8})[0-9a-f]{24}$/.exec(repoKey)?.[1]
  if (hash === undefined) return repoKey
  const [, folder] = splitName(agentName)
  return folder ? `${folder} (no remote)` : `folder without a remote (${hash})`
}

/** As `repositoryName`, for the repository that a question is about. */
export function repositoryOf({
  repoKey,
  agentName,
}: {
  repoKey: string | undefined
  agentName: string | undefined
}): string | undefined {
  return repoKey && repositoryName(repoKey, agentName)
}
