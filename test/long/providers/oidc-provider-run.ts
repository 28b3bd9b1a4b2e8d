import Provider from 'oidc-provider'

/** A provider with the settings in its first argument; it says `ready`, and ends with its input. */
type Settings = {
  port: number
  clientId: string
  secret: string
  redirect: string
  logout: string
  key: JsonWebKey
  /** What it says of each account, by its id. */
  accounts: Record<string, Record<string, unknown>>
}

const { port, clientId, secret, redirect, logout, key, accounts } = JSON.parse(
  process.argv[2] ?? '{}',
) as Settings
const provider = new Provider(`http://127.0.0.1:${port}`, {
  clients: [
    {
      client_id: clientId,
      client_secret: secret,
      redirect_uris: [redirect],
      backchannel_logout_uri: logout,
      backchannel_logout_session_required: true,
    },
  ],
  jwks: { keys: [key] },
  cookies: { keys: ['a key for tests'] },
  claims: {
    openid: ['sub'],
    email: ['email', 'email_verified'],
    profile: ['name'],
    groups: ['groups'],
  },
  scopes: ['openid', 'email', 'profile', 'groups'],
  features: { backchannelLogout: { enabled: true } },
  findAccount: (_, id) => {
    const claims = accounts[id]
    return claims && { accountId: id, claims: () => ({ sub: id, ...claims }) }
  },
})
provider.listen(port, '127.0.0.1', () => console.log('ready'))
process.stdin.on('end', () => process.exit()).resume()
