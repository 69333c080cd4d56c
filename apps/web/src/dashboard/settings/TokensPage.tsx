import { useState } from 'react'

import type { Answer } from '../../api.ts'
import { Badge, type Tone } from '../../ui/Badge.tsx'
import { Panel } from '../../ui/Panel.tsx'
import { Cell, Row, Table } from '../../ui/Table.tsx'
import { ago, dayTime } from '../../ui/time-words.ts'
import { useNow } from '../../ui/use-now.ts'
import { useAnswer } from '../client/use-answer.ts'
import { Answered } from '../panel/Answered.tsx'
import { AskedButton } from '../form/AskedButton.tsx'
import { ProblemBox } from '../form/Problem.tsx'
import { limitWords } from '../words/role-words.ts'
import { TokenForm } from './TokenForm.tsx'
import { TokenSecret, type MadeToken } from './ShownOnce.tsx'
import { useCommand } from '../client/use-command.ts'

type Token = Answer<'tokensList'>['tokens'][number]

/** Keys for programs: make one, see which there are, end one. */
export function TokensPage() {
  const tokens = useAnswer('tokensList', {})
  const [made, setMade] = useState<MadeToken>()
  const { busy, problem, send } = useCommand('tokensRevoke', {
    after: () => tokens.refetch(),
    done: ({ id }) => `Revoked ${tokens.data?.tokens.find((token) => token.id === id)?.name ?? id}.`,
  })
  return (
    <div className="grid gap-4">
      {made !== undefined && <TokenSecret key={made.secret} made={made} close={() => setMade(undefined)} />}
      <Panel title="Tokens">
        <Answered answer={tokens}>
          {(data) => (
            <Table
              caption="API tokens"
              columns={['Name', 'Starts with', 'Role', 'Sees', 'Last used', 'Ends', '']}
              empty="No tokens yet. Tokens give the CLI, scrapers and agents access to the API."
            >
              {data.tokens.map((token) => (
                <TokenRow key={token.id} token={token} busy={busy} revoke={() => send({ id: token.id })} />
              ))}
            </Table>
          )}
        </Answered>
        <ProblemBox words={problem} className="mt-3" />
      </Panel>
      <Panel title="Create a token">
        <TokenForm
          made={(token) => {
            setMade(token)
            void tokens.refetch()
          }}
        />
      </Panel>
    </div>
  )
}

const TONES = { active: 'good', expired: 'secondary', revoked: 'secondary' } satisfies Record<Token['state'], Tone>

type RowProps = { readonly token: Token; readonly busy: boolean; readonly revoke: () => void }

function TokenRow({ token, busy, revoke }: RowProps) {
  const now = useNow()
  return (
    <Row className={token.state === 'active' ? '' : 'text-ink-quiet'}>
      <Cell className="min-w-44">
        <span className="mr-2 font-medium wrap-anywhere">{token.name}</span>
        <Badge tone={TONES[token.state]}>{token.state}</Badge>
        <span className="block text-12 text-ink-soft">by {token.createdBy}</span>
      </Cell>
      <Cell name="Starts with" className="font-mono whitespace-nowrap">
        {token.prefix}…
      </Cell>
      <Cell name="Role">{token.role}</Cell>
      <Cell name="Sees">
        <span className="block">namespaces: {limitWords(token.namespaces)}</span>
        <span className="block">clusters: {limitWords(token.clusters)}</span>
      </Cell>
      <Cell name="Last used" className="whitespace-nowrap">
        {token.lastUsedAt === null ? 'never' : ago(token.lastUsedAt, now)}
      </Cell>
      <Cell name="Ends" className="whitespace-nowrap">
        {token.expiresAt === null ? 'never' : dayTime(token.expiresAt)}
      </Cell>
      <Cell className="pr-0 text-right max-sm:pt-2">
        {token.state === 'active' && (
          <AskedButton
            verb="Revoke"
            label={`Revoke ${token.name}`}
            consequence="Clients using it stop working at once."
            busy={busy}
            send={revoke}
          />
        )}
      </Cell>
    </Row>
  )
}
