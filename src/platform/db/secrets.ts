/** The secrets that the server makes on its first run and keeps for good. */
export type Secrets = {
  /** URL-safe base64, as the Web Push protocol writes them. */
  vapid: { publicKey: string; privateKey: string }
  /** Signs the cookies of signed-in people. */
  authSecret: string
  /** Derives the single-use keys of answer buttons on notifications. */
  quickAnswerSecret: string
}

const SECRET_BYTES = 32

export async function makeSecrets(): Promise<Secrets> {
  // Only a first run makes keys, so every later start does without the library.
  const { default: webPush } = await import('web-push')
  return {
    vapid: webPush.generateVAPIDKeys(),
    authSecret: randomSecret(),
    quickAnswerSecret: randomSecret(),
  }
}

function randomSecret(): string {
  return Buffer.from(crypto.getRandomValues(new Uint8Array(SECRET_BYTES))).toString('base64url')
}
