import { plural } from '@septet/domain/words'
import { LIMITS } from 'virtual:limits/membersPut'

import { type Answer, type Order, tell } from '../../api.ts'
import { useAuth } from '../../session/auth-context.ts'
import { Badge } from '../../ui/Badge.tsx'
import { Panel } from '../../ui/Panel.tsx'
import { Cell, Row, Table } from '../../ui/Table.tsx'
import { dayTime } from '../../ui/time-words.ts'
import { useAnswer } from '../client/use-answer.ts'
import { useCommand } from '../client/use-command.ts'
import { AskedButton } from '../form/AskedButton.tsx'
import { ProblemBox } from '../form/Problem.tsx'
import type { FieldOf } from '../form/SchemaFields.tsx'
import { SchemaForm } from '../form/SchemaForm.tsx'
import { Answered } from '../panel/Answered.tsx'
import { limitWords, roleChoices } from '../words/role-words.ts'
import { InvitePanel } from './InvitePanel.tsx'
import { PersonPanel } from './PersonPanel.tsx'

type Member = Answer<'membersList'>['members'][number]

/** Who may do what here. */
export function MembersPage() {
  const members = useAnswer('membersList', {})
  const { busy, problem, send } = useCommand('membersRemove', {
    after: () => members.refetch(),
    done: ({ email }) => `Removed the role of ${email}.`,
  })
  return (
    <div className="grid gap-4">
      <Panel title="Who can do what">
        <Answered answer={members}>
          {(data) => (
            <>
              <p className="mb-3 max-w-2xl text-13 text-ink-soft">
                SEPTET_AUTHORIZED_EMAIL allows: <span className="text-ink">{data.authorized.join(', ')}</span>. Role
                changes apply from the member’s next request.
              </p>
              <Table
                caption="Members and their roles"
                columns={['Email', 'Role', 'Namespaces', 'Last sign-in', 'Source', '']}
              >
                {data.members.map((member) => (
                  <MemberRow
                    key={member.email}
                    member={member}
                    busy={busy}
                    remove={() => send({ email: member.email })}
                  />
                ))}
              </Table>
              {data.unlisted > 0 && (
                <p className="mt-3 text-13 text-ink-soft">
                  {plural(data.unlisted, 'more member')} came in by groups, longer ago than those listed here.
                </p>
              )}
              <ProblemBox words={problem} className="mt-3" />
            </>
          )}
        </Answered>
      </Panel>
      {members.data !== undefined && (
        <>
          <InvitePanel members={members.data} invited={() => void members.refetch()} />
          <Panel title="Assign a role">
            <MemberForm changed={() => void members.refetch()} />
          </Panel>
          <PersonPanel emails={members.data.members.map(({ email }) => email)} changed={() => void members.refetch()} />
        </>
      )}
    </div>
  )
}

const ORIGIN_WORDS = {
  settings: 'server setting',
  admin: 'an admin',
  groups: 'groups',
  default: 'not set yet',
} satisfies Record<Member['origin'], string>

type RowProps = { readonly member: Member; readonly busy: boolean; readonly remove: () => void }

function MemberRow({ member, busy, remove }: RowProps) {
  // A hosted project does not tell when its people signed in.
  const noSignIn = useAuth().signInInfo?.mode === 'hosted' ? 'unknown' : 'never'
  return (
    <Row>
      <Cell>
        <span className="block min-w-40 wrap-anywhere max-sm:font-medium">{member.email}</span>
        {!member.admitted && (
          <Badge tone="warning">
            {member.origin === 'groups' ? 'must sign in again' : 'not let in by the setting'}
          </Badge>
        )}
      </Cell>
      <Cell name="Role">{member.role}</Cell>
      <Cell name="Namespaces">{limitWords(member.namespaces)}</Cell>
      <Cell name="Last sign-in" className="whitespace-nowrap">
        {member.lastSignInAt === null ? noSignIn : dayTime(member.lastSignInAt)}
      </Cell>
      <Cell name="Source" className="whitespace-nowrap">
        {ORIGIN_WORDS[member.origin]}
      </Cell>
      <Cell className="pr-0 text-right max-sm:pt-2">
        {member.origin === 'admin' && (
          <AskedButton
            verb="Remove"
            label={`Remove the role of ${member.email}`}
            consequence="From the next request they are a viewer, if they may still sign in."
            busy={busy}
            send={remove}
          />
        )}
      </Cell>
    </Row>
  )
}

const FIELDS: readonly FieldOf<Order<'membersPut'>>[] = [
  { at: 'email', label: 'Email', input: { type: 'email', required: true } },
  { at: 'role', label: 'Role', choices: roleChoices('admin') },
  {
    at: 'namespaces',
    label: 'Only these namespaces',
    note: 'Separated by commas. Leave empty for all.',
    wide: true,
  },
]

/** Gives an address a role, and the namespaces that it sees. */
const MemberForm = ({ changed }: { readonly changed: () => void }) => (
  <SchemaForm
    limits={LIMITS}
    value={{ email: '', role: 'viewer' }}
    fields={FIELDS}
    submit="Save role"
    repeats
    send={async (order: Order<'membersPut'>) => {
      await tell('membersPut', order)
      changed()
      return { done: `${order.email} is ${order.role} now.` }
    }}
  />
)
