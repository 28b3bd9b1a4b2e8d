import { join } from 'node:path'

/** `install.sh` with the address of the releases and the public key that they are signed with. */
export async function installer(url: string, publicKey: string): Promise<string> {
  const text = await Bun.file(join(import.meta.dir, 'install.sh')).text()
  return text.replace('@URL@', () => url).replace('@PUBLIC_KEY@', () => publicKey)
}
