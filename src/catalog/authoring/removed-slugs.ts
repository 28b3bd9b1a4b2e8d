import { parseYaml } from './parse-yaml.ts'
import { readText } from './read-text.ts'

/** Whether `removed.yaml` names the slug; false while that file is missing or broken. */
export async function isRemoved(folder: string, slug: string): Promise<boolean> {
  const text = await readText(folder, 'removed.yaml')
  const parsed = typeof text === 'string' ? parseYaml('removed.yaml', text) : []
  if (Array.isArray(parsed) || !Array.isArray(parsed.value)) return false
  return parsed.value.some((it: unknown) => (it as { slug?: unknown } | null)?.slug === slug)
}
