/** @jsxImportSource preact */
import { FormField, type Wrong } from '../../../platform/web/form.tsx'
import { Icon } from '../../../platform/web/icon.tsx'
import { Code, CopyButton } from '../../../platform/web/page-parts.tsx'
import { SafeText } from '../../pages/marked.tsx'
import { paths } from '../../pages/paths.ts'
import { Ago } from '../../pages/time.tsx'
import type { SignedIn } from '../../pages/visit.ts'
import type { PolicyToken } from '../model/store.ts'

export type TokenView = { token?: string; name?: string; wrong?: Wrong; status?: number }

type Props = { tokens: readonly PolicyToken[]; visit: SignedIn; view: TokenView }

/** The tokens with which a program reads or applies the file, and nothing else. */
export function Tokens({ tokens, visit, view }: Props) {
  const { token, name = '', wrong } = view
  return (
    <section class="part" id="tokens">
      <h2>Tokens for CI</h2>
      <p class="soft">
        With one, <code>beckon policy … --server</code> reads or applies the file from elsewhere. It
        is good for nothing else.
      </p>
      {token && <NewToken token={token} />}
      {tokens.length > 0 && (
        <ul class="things">
          {tokens.map((one) => (
            <TokenCard token={one} visit={visit} />
          ))}
        </ul>
      )}
      <form method="post" action={paths.policyTokens} class="part requests">
        <FormField
          name="name"
          label="Its name"
          required
          maxLength={40}
          draft={{ name }}
          {...(wrong && { wrong })}
        >
          Where it is kept, for the audit trail.
        </FormField>
        <label class="check">
          <input type="checkbox" name="may" value="write" />
          <span>It may apply the file, not only read and try it.</span>
        </label>
        <button type="submit">Make a token</button>
      </form>
    </section>
  )
}

function NewToken({ token }: { token: string }) {
  return (
    <section class="made" aria-labelledby="made-title">
      <h2 id="made-title">
        <Icon name="check" />
        Keep it as BECKON_POLICY_TOKEN
      </h2>
      <div class="secret" data-copy-from>
        <Code name="The token">{token}</Code>
        <CopyButton />
      </div>
      <p class="rule">This is the only time the token is shown. Keep it like a password.</p>
    </section>
  )
}

function TokenCard({ token, visit }: { token: PolicyToken; visit: SignedIn }) {
  const { id, name, may, tail, lastUsedAt } = token
  return (
    <li class="thing" id={id}>
      <div>
        <p class="thing-name">
          <b>
            <SafeText text={name} />
          </b>
        </p>
        <p class="soft">
          <code>bp_…{tail}</code>, {may === 'write' ? 'reads and applies' : 'reads'},{' '}
          {lastUsedAt === null ? (
            'never used'
          ) : (
            <>
              used <Ago at={lastUsedAt} moment={visit.moment} />
            </>
          )}
        </p>
      </div>
      <form method="post" action={paths.revokePolicyToken} class="thing-do">
        <input type="hidden" name="token" value={id} />
        <button type="submit" class="small bad">
          Revoke
        </button>
      </form>
    </li>
  )
}
