import { plural } from '@septet/domain/words'
import type { ReactNode } from 'react'

import type { Answer } from '../../../api.ts'
import { CodeBox } from '../../../ui/CodeBox.tsx'
import { CopyButton } from '../../../ui/CopyButton.tsx'
import { CheckIcon, WarningIcon } from '../../../ui/icons.tsx'
import { StateDot } from '../../../ui/StateDot.tsx'

export type Test = Answer<'connectionsTested'>
type Step = Test['steps'][number]

/** The steps of a connection test in their order, each as far as it has come. */
export const TestSteps = ({ test }: { readonly test: Test }) => (
  <div>
    <output className="mb-3 block text-13 text-ink-soft">{testWords(test)}</output>
    <ol className="grid divide-y divide-line border-t border-line" aria-label="Steps of the test">
      {rowsOf(test.steps).map(({ step, names }) => (
        <StepRow key={step.id} step={step} names={names} />
      ))}
    </ol>
  </div>
)

type Rows = readonly { readonly step: Step; readonly names: readonly string[] }[]

/** Steps in a row that were not tried for the same reason are one row: the reason is said once. */
function rowsOf(steps: readonly Step[]): Rows {
  return steps.reduce<Rows>((rows, step) => {
    const last = rows.at(-1)
    const isSame = step.state === 'skipped' && last?.step.state === 'skipped' && last.step.said === step.said
    return isSame
      ? [...rows.slice(0, -1), { step: last.step, names: [...last.names, NAMES[step.id]] }]
      : [...rows, { step, names: [NAMES[step.id]] }]
  }, [])
}

/** How the test went as a whole. */
function testWords({ done, steps }: Test): string {
  if (!done) return 'Testing…'
  const failed = steps.filter(({ state }) => state === 'failed').length
  const noticed = steps.filter(({ state }) => state === 'noticed').length
  if (failed > 0) return `${plural(failed, 'step')} failed${noticed > 0 ? `, ${noticed} to know about` : ''}.`
  return noticed > 0 ? `It works, with ${plural(noticed, 'step')} to know about.` : 'Everything works.'
}

const NAMES = {
  credentials: 'Read the credentials',
  reach: 'Reach the API server',
  certificate: 'Check its certificate',
  'sign-in': 'Sign in',
  permissions: 'Permissions',
  gpus: 'Find GPU nodes',
  clock: 'Compare the clocks',
  metrics: 'Reach the metrics',
  'metric-names': 'DCGM metrics',
  'metric-nodes': 'Match metrics to nodes',
} as const satisfies Record<Step['id'], string>

const StepRow = ({ step, names }: Rows[number]) => (
  <li className="grid grid-cols-[1.25rem_minmax(0,1fr)] gap-x-2.5 py-2.5 text-13">
    <span className="pt-0.5">
      <Mark state={step.state} />
    </span>
    <div className="grid min-w-0 gap-1">
      <p className="flex flex-wrap items-baseline gap-x-2">
        <span className={step.state === 'skipped' ? 'text-ink-quiet' : 'font-medium'}>{names.join(', ')}</span>
        <span className="text-12 text-ink-quiet">
          {step.state === 'skipped' ? untried(step) : STATE_WORDS[step.state]}
        </span>
      </p>
      {step.state !== 'skipped' && <p className="text-ink-soft wrap-anywhere">{step.said}</p>}
      {step.works !== null && <Said name="Still works">{step.works}</Said>}
      {step.todo !== null && <Said name="What to do">{step.todo}</Said>}
      {step.manifest !== null && <Manifest text={step.manifest} />}
      <Items items={step.items} />
    </div>
  </li>
)

const untried = ({ said }: Step): string => (said.startsWith('Not tried') ? said : `Not tried. ${said}`)

const Said = ({ name, children }: { readonly name: string; readonly children: ReactNode }) => (
  <p className="wrap-anywhere">
    <span className="text-ink-quiet">{name}: </span>
    {children}
  </p>
)

const STATE_WORDS = {
  running: 'going on',
  passed: 'works',
  noticed: 'to know about',
  failed: 'failed',
  skipped: 'not tried',
} as const satisfies Record<Step['state'], string>

const MARKS = {
  running: { mark: <StateDot state="waiting" />, className: '' },
  skipped: { mark: '–', className: 'text-ink-quiet' },
  passed: { mark: <CheckIcon />, className: 'text-busy-ink' },
  noticed: { mark: <WarningIcon />, className: 'text-idle-ink' },
  failed: { mark: <WarningIcon />, className: 'text-fault-ink' },
} as const satisfies Record<Step['state'], unknown>

const Mark = ({ state }: Pick<Step, 'state'>) => (
  <span aria-hidden className={`grid size-4 place-content-center ${MARKS[state].className}`}>
    {MARKS[state].mark}
  </span>
)

const Manifest = ({ text }: { readonly text: string }) => (
  <div className="grid gap-1">
    <div className="flex items-center justify-between gap-2">
      <span className="text-12 text-ink-soft">kubectl apply -f -</span>
      <CopyButton label="Copy YAML" text={() => text} />
    </div>
    <CodeBox label="RBAC to add" text={text} className="max-h-72" />
  </div>
)

/** What was found wanting stands open; the rest is one click away. */
function Items({ items }: Pick<Step, 'items'>) {
  if (items.length === 0) return undefined
  const wanting = items.filter(({ state }) => state === 'failed')
  const rest = items.filter(({ state }) => state !== 'failed')
  return (
    <>
      {wanting.length > 0 && <ItemList items={wanting} />}
      {rest.length > 0 && (
        <details className="text-12">
          <summary className="cursor-pointer rounded-control text-ink-soft">
            {wanting.length > 0 ? `The other ${rest.length}` : `All ${rest.length}`}
          </summary>
          <ItemList items={rest} />
        </details>
      )}
    </>
  )
}

const ItemList = ({ items }: Pick<Step, 'items'>) => (
  <ul className="mt-1 grid gap-1 text-12">
    {items.map(({ name, state, said }) => (
      <li key={name} className="grid gap-x-3 sm:grid-cols-[minmax(0,14rem)_minmax(0,1fr)]">
        <code className="font-mono wrap-anywhere">{name}</code>
        <span className={state === 'failed' ? 'text-fault-ink' : 'text-ink-soft'}>{said}</span>
      </li>
    ))}
  </ul>
)
