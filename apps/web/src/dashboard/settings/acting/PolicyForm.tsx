import { ACT_MODES, modeOf } from '@septet/domain'
import { CLASSES, type ActionClass } from '@septet/domain/action-classes'
import { dollars, plural } from '@septet/domain/words'
import { type ReactNode, useState } from 'react'

import { tell } from '../../../api.ts'
import { Panel } from '../../../ui/Panel.tsx'
import { Cell, Row, Table } from '../../../ui/Table.tsx'
import { ChevronRightIcon } from '../../../ui/icons.tsx'
import { dayTime } from '../../../ui/time-words.ts'
import { type FieldOf, SchemaField, SchemaFields } from '../../form/SchemaFields.tsx'
import { shownIn, spanWords } from '../../form/typed-value.ts'
import { type KeptDraft, KeptForm } from '../KeptForm.tsx'
import { ShadowPanel } from './ShadowPanel.tsx'
import { WindowFields } from './WindowFields.tsx'
import { type ShownPolicy, type Mode, type PolicyView, withMode, withResumed, withTwoPeople } from './act-policy.ts'
import { BY_HAND, CARRIED_OUT, MODE_NAMES, MODE_SENTENCES, modesOf } from './class-words.ts'
import {
  AUTO_FIELDS,
  AUTO_SCOPES,
  changesOf,
  LIMIT_NAMES,
  LIMIT_SCOPES,
  limitsWords,
  POLICY_LIMITS,
  PROTECTED_FIELDS,
  TIME_FIELDS,
  windowsWords,
  WORTH_FIELDS,
} from './policy-fields.ts'

type Props = { readonly view: PolicyView; readonly changed: () => unknown }
type GroupProps = KeptDraft<ShownPolicy>

/** What one cluster lets Septet do. */
export const PolicyForm = ({ view, changed }: Props) => (
  <KeptForm
    view={view}
    inForce={view.policy}
    defaults={view.defaults}
    changesOf={changesOf}
    put={async (policy, count) => {
      await tell('actPoliciesPut', { cluster: view.source.id, policy, edited: view.changedAt })
      await changed()
      return { done: `${plural(count, 'change')} saved for ${view.source.name}.` }
    }}
    submit="Save"
    unchanged={`Defaults: not changed yet for ${view.source.name}.`}
    applies="Applies from the next reading of the cluster, including to actions already approved."
    renderFirst={({ value, change, canChange }) => (
      <>
        <ClassTable policy={value} canChange={canChange} change={(policy) => change(() => policy)} />
        <ShadowPanel cluster={view.source.id} />
      </>
    )}
  >
    {(draft) => (
      <>
        <Groups {...draft} />
        <AutoGroup {...draft} />
      </>
    )}
  </KeptForm>
)

type FoldProps = {
  readonly title: string
  /** What it says now, in a few words. */
  readonly says: string
  /** What the fields are about, in a sentence or two. */
  readonly lead: string
  readonly children: ReactNode
}

/** A group of fields that is folded until somebody wants to change it. */
const Fold = ({ title, says, lead, children }: FoldProps) => (
  <details className="group rounded-card border border-line bg-surface px-4 sm:px-5">
    <summary className="grid cursor-pointer grid-cols-[auto_minmax(0,1fr)] items-baseline gap-x-3 gap-y-0.5 rounded-control py-3.5 sm:grid-cols-[auto_12rem_minmax(0,1fr)]">
      <span className="self-center text-ink-quiet transition-transform group-open:rotate-90">
        <ChevronRightIcon />
      </span>
      <span className="text-14 font-semibold tracking-[-0.005em]">{title}</span>
      <span className="text-13 text-ink-soft wrap-anywhere max-sm:col-start-2">{says}</span>
    </summary>
    <div className="grid gap-4 pb-5">
      <p className="max-w-3xl text-13 text-ink-soft">{lead}</p>
      {children}
    </div>
  </details>
)

type FieldsProps = GroupProps & { readonly fields: readonly FieldOf<ShownPolicy>[] }

const Fields = ({ fields, value, change }: FieldsProps) => (
  <div className={`grid max-w-3xl gap-4 ${fields.length === 3 ? 'sm:grid-cols-3' : 'sm:grid-cols-2'}`}>
    <SchemaFields limits={POLICY_LIMITS} fields={fields} value={value} change={change} />
  </div>
)

/** What holds for every class, group by group, each folded. */
function Groups(draft: GroupProps) {
  const { limits, minimum, windows, protectedNamespaces, protectedLabels, watch, coolDown } = draft.value
  return (
    <>
      <Fold
        title="Limits"
        says={`${limitsWords(limits.run)} per action`}
        lead="How much changes may affect: pods stopped, nodes, GPUs, and the cost of these GPUs. Leave empty for no limit."
      >
        <LimitTable {...draft} caption="Limits" scopes={LIMIT_SCOPES} />
      </Fold>
      <Fold
        title="Minimum benefit"
        says={`from ${dollars(minimum.usdPerMonth)}/mo and ${shownIn({ scale: 0.01 }, minimum.confidence)}% confidence`}
        lead="Smaller or less certain savings are skipped."
      >
        <Fields {...draft} fields={WORTH_FIELDS} />
      </Fold>
      <Fold
        title="Maintenance windows"
        says={windowsWords(windows)}
        lead="Changes start only inside a window, or at any time if there is none. A window that ends before it starts ends the next day."
      >
        <WindowFields
          windows={windows}
          canChange={draft.canChange}
          change={(next) => draft.change((policy) => ({ ...policy, windows: next }))}
        />
      </Fold>
      <Fold
        title="Protected"
        says={[...protectedNamespaces, ...Object.keys(protectedLabels)].join(', ') || 'nothing'}
        lead="Septet never stops, moves or shrinks these pods."
      >
        <Fields {...draft} fields={PROTECTED_FIELDS} />
      </Fold>
      <Fold
        title="Times"
        says={`watched for ${spanWords(watch)}, then left alone for ${spanWords(coolDown)}`}
        lead="How long approvals last, owners are warned, and changes are watched."
      >
        <Fields {...draft} fields={TIME_FIELDS} />
      </Fold>
    </>
  )
}

type LimitProps = GroupProps & { readonly caption: string; readonly scopes: typeof LIMIT_SCOPES }

/** The most that may be touched, each scope a row. */
const LimitTable = ({ caption, scopes, value, change }: LimitProps) => (
  <Table caption={caption} columns={['At most', ...Object.values(LIMIT_NAMES)]}>
    {scopes.map(({ name, fields }) => (
      <Row key={name}>
        <Cell className="font-medium whitespace-nowrap sm:pt-3.5">{name}</Cell>
        {fields.map(({ key, ...field }) => (
          <Cell key={key} name={LIMIT_NAMES[key]} className="max-sm:items-center">
            <SchemaField limits={POLICY_LIMITS} field={field} value={value} change={change} />
          </Cell>
        ))}
      </Row>
    ))}
  </Table>
)

/** How far what is on auto may go, and how a class goes on that a setback has halted. */
function AutoGroup(draft: GroupProps) {
  const { auto } = draft.value
  return (
    <Fold
      title="Auto"
      says={auto.classes.length === 0 ? 'nothing is on auto' : `${limitsWords(auto.budget.hour)} per hour`}
      lead="What Septet approves on its own stays within this budget and the limits. It starts with one node at a time, then 10% of the nodes, then all. One failed or undone change halts its class."
    >
      <LimitTable {...draft} caption="Auto budget" scopes={AUTO_SCOPES} />
      <Fields {...draft} fields={AUTO_FIELDS} />
      <fieldset className="grid min-w-0 gap-1.5 text-13">
        <legend className="mb-1.5 font-medium">Resume after a setback</legend>
        {CARRIED_OUT.map((kind) => (
          <Resume
            key={kind}
            kind={kind}
            before={auto.resumedAt[kind]}
            put={(at) => draft.change((policy) => withResumed(policy, kind, at))}
          />
        ))}
        <p className="text-12 text-ink-soft">
          A class that failed or was halted waits for a person. Check it and save to resume; earlier failures no longer
          count.
        </p>
      </fieldset>
    </Fold>
  )
}

type ResumeProps = {
  readonly kind: ActionClass
  readonly before: string | undefined
  readonly put: (at: string | undefined) => void
}

function Resume({ kind, before, put }: ResumeProps) {
  // What held when the form was opened, so that a check that is taken back leaves nothing changed.
  const [was] = useState(before)
  return (
    <label className="flex items-center gap-2">
      <input
        type="checkbox"
        checked={before !== was}
        onChange={({ target }) => put(target.checked ? new Date().toISOString() : was)}
        className="size-4 accent-(--ink)"
      />
      {CLASSES[kind].title}
      {was !== undefined && <span className="text-12 text-ink-soft">resumed {dayTime(was)}</span>}
    </label>
  )
}

type ClassProps = {
  readonly policy: ShownPolicy
  readonly canChange: boolean
  readonly change: (policy: ShownPolicy) => void
}

/** How much each class of action may do. */
const ClassTable = (props: ClassProps) => (
  <Panel title="Actions">
    <dl className="mb-4 grid max-w-3xl gap-x-6 gap-y-1 text-13 sm:grid-cols-[5rem_1fr]">
      {ACT_MODES.map((mode) => (
        <div key={mode} className="contents">
          <dt className="font-medium">{MODE_NAMES[mode]}</dt>
          <dd className="text-ink-soft max-sm:mb-1">{MODE_SENTENCES[mode]}</dd>
        </div>
      ))}
    </dl>
    <Classes {...props} caption="What Septet can apply" kinds={CARRIED_OUT} isApplied />
    <p className="mt-3 max-w-3xl text-12 text-ink-soft">
      Where approval takes two people, the person who proposed a change counts as one of them. Admins need a second
      person, too.
    </p>
    <p className="mt-6 mb-1 max-w-3xl text-13">
      Septet does not apply these itself. On Suggest it shows the change as files.
    </p>
    <Classes {...props} caption="What you apply yourself" kinds={BY_HAND} />
  </Panel>
)

type ClassesProps = ClassProps & {
  readonly caption: string
  readonly kinds: readonly ActionClass[]
  /** Septet applies these itself, once they are approved. */
  readonly isApplied?: boolean
}

const Classes = ({ caption, kinds, isApplied = false, policy, canChange, change }: ClassesProps) => (
  <Table caption={caption} columns={['Action', 'What it does', 'Septet may', ...(isApplied ? ['Approval by'] : [])]}>
    {kinds.map((kind) => {
      const mode = modeOf(policy, kind)
      return (
        <Row key={kind}>
          <Cell className="font-medium whitespace-nowrap sm:w-32 sm:pt-3.5">{CLASSES[kind].title}</Cell>
          <Cell className="text-ink-soft sm:pt-3.5">{CLASSES[kind].help}</Cell>
          <Cell className={`sm:w-36 ${isApplied ? 'sm:pr-3' : 'sm:pr-0'} ${canChange ? '' : 'sm:pt-3.5'}`}>
            {canChange ? (
              <ModeChoice kind={kind} mode={mode} choose={(next) => change(withMode(policy, kind, next))} />
            ) : (
              MODE_NAMES[mode]
            )}
          </Cell>
          {isApplied && (
            <Cell name="Approval by" className={`max-sm:items-center sm:w-32 sm:pr-0 ${canChange ? '' : 'sm:pt-3.5'}`}>
              {canChange ? (
                <ApproverChoice
                  kind={kind}
                  needed={policy.twoPeople.includes(kind)}
                  choose={(needed) => change(withTwoPeople(policy, kind, needed))}
                />
              ) : (
                APPROVERS[policy.twoPeople.includes(kind) ? 'two' : 'one']
              )}
            </Cell>
          )}
        </Row>
      )
    })}
  </Table>
)

const APPROVERS = { one: 'One person', two: 'Two people' }
const SELECT =
  'h-9 w-full rounded-control border border-(--free) bg-surface px-2 text-16 hover:border-ink-quiet sm:text-13'

type ApproverProps = {
  readonly kind: ActionClass
  readonly needed: boolean
  readonly choose: (needed: boolean) => void
}

const ApproverChoice = ({ kind, needed, choose }: ApproverProps) => (
  <select
    aria-label={`Approval of ${CLASSES[kind].title} by`}
    value={needed ? 'two' : 'one'}
    onChange={({ target }) => choose(target.value === 'two')}
    className={SELECT}
  >
    {Object.entries(APPROVERS).map(([value, text]) => (
      <option key={value} value={value}>
        {text}
      </option>
    ))}
  </select>
)

type ChoiceProps = { readonly kind: ActionClass; readonly mode: Mode; readonly choose: (mode: Mode) => void }

const ModeChoice = ({ kind, mode, choose }: ChoiceProps) => (
  <select
    aria-label={CLASSES[kind].title}
    value={mode}
    onChange={({ target }) => {
      const chosen = ACT_MODES.find((each) => each === target.value)
      if (chosen !== undefined) choose(chosen)
    }}
    className={`max-sm:mt-1 ${SELECT}`}
  >
    {modesOf(kind, mode).map((each) => (
      <option key={each} value={each}>
        {MODE_NAMES[each]}
      </option>
    ))}
  </select>
)
