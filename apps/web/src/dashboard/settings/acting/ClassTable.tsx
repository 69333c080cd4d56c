import { Panel } from '../../../ui/Panel.tsx'
import { Cell, Row, Table } from '../../../ui/Table.tsx'
import { CLASS_WORDS } from '../../acting/action-words.ts'
import { modeOf, withMode, type ActionClass, type ActPolicy, type Mode } from './act-policy.ts'
import { BY_HAND, CARRIED_OUT, CLASS_SENTENCES, MODE_NAMES, MODE_SENTENCES, MODES, modesOf } from './class-words.ts'

type Props = {
  readonly policy: ActPolicy
  readonly canChange: boolean
  readonly change: (policy: ActPolicy) => void
}

/** How much each class of action may do. */
export const ClassTable = (props: Props) => (
  <Panel title="Actions">
    <dl className="mb-4 grid max-w-3xl gap-x-6 gap-y-1 text-13 sm:grid-cols-[5rem_1fr]">
      {MODES.map((mode) => (
        <div key={mode} className="contents">
          <dt className="font-medium">{MODE_NAMES[mode]}</dt>
          <dd className="text-ink-soft max-sm:mb-1">{MODE_SENTENCES[mode]}</dd>
        </div>
      ))}
    </dl>
    <Classes {...props} caption="What Septet can apply" kinds={CARRIED_OUT} />
    <p className="mt-6 mb-1 max-w-3xl text-13">
      Septet does not apply these itself. On Suggest it shows the change as files.
    </p>
    <Classes {...props} caption="What you apply yourself" kinds={BY_HAND} />
  </Panel>
)

type ClassesProps = Props & { readonly caption: string; readonly kinds: readonly ActionClass[] }

const Classes = ({ caption, kinds, policy, canChange, change }: ClassesProps) => (
  <Table caption={caption} columns={['Action', 'What it does', 'Septet may']}>
    {kinds.map((kind) => {
      const mode = modeOf(policy, kind)
      return (
        <Row key={kind}>
          <Cell className="font-medium whitespace-nowrap sm:w-32 sm:pt-3.5">{CLASS_WORDS[kind]}</Cell>
          <Cell className="text-ink-soft sm:pt-3.5">{CLASS_SENTENCES[kind]}</Cell>
          <Cell className={`sm:w-36 sm:pr-0 ${canChange ? '' : 'sm:pt-3.5'}`}>
            {canChange ? (
              <ModeChoice kind={kind} mode={mode} choose={(next) => change(withMode(policy, kind, next))} />
            ) : (
              MODE_NAMES[mode]
            )}
          </Cell>
        </Row>
      )
    })}
  </Table>
)

type ChoiceProps = { readonly kind: ActionClass; readonly mode: Mode; readonly choose: (mode: Mode) => void }

const ModeChoice = ({ kind, mode, choose }: ChoiceProps) => (
  <select
    aria-label={CLASS_WORDS[kind]}
    value={mode}
    onChange={({ target }) => {
      const chosen = MODES.find((each) => each === target.value)
      if (chosen !== undefined) choose(chosen)
    }}
    className="h-9 w-full rounded-control border border-(--free) bg-surface px-2 text-16 hover:border-ink-quiet max-sm:mt-1 sm:text-13"
  >
    {modesOf(kind, mode).map((each) => (
      <option key={each} value={each}>
        {MODE_NAMES[each]}
      </option>
    ))}
  </select>
)
