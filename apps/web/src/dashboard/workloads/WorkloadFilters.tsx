import { Button } from '../../ui/Button.tsx'
import { ChoiceField } from '../form/ChoiceField.tsx'
import { SearchField } from '../form/SearchField.tsx'
import { Segmented } from '../form/Segmented.tsx'
import { resourceWords, classWords } from './workload-words.ts'
import type { WorkloadChoice } from './use-workload-choice.ts'
import type { Workloads } from './use-workloads.ts'

type Props = {
  readonly choice: WorkloadChoice
  /** Undefined until the first answer. */
  readonly data: Pick<Workloads, 'counts' | 'choices'> | undefined
}

const EVERY = '*'

/** Which workloads are shown: by what they do, whose they are, and by a part of their name. */
export function WorkloadFilters({ choice, data }: Props) {
  const { view, choose } = choice
  return (
    <div className="flex flex-wrap items-center gap-x-4 gap-y-2.5">
      <div className="flex flex-wrap items-center gap-x-4 gap-y-2.5 max-sm:w-full">
        <Segmented
          label="Workloads"
          value={view}
          options={viewsOf(data?.counts)}
          onChange={(value) => choose({ view: value === 'all' ? undefined : value, for: undefined })}
        />
        <SearchField
          label="Find workload, resource, node"
          value={choice.search}
          onChange={(text) => choose({ search: text === '' ? undefined : text }, { replace: true })}
        />
      </div>
      <div className="flex min-w-0 flex-wrap items-center gap-x-4 gap-y-2 empty:hidden">
        <One
          name="namespace"
          label="Namespace"
          value={choice.namespace}
          values={data?.choices.namespaces}
          choice={choice}
        />
        <One
          name="tenant"
          label="Tenant"
          value={choice.tenant}
          values={data?.choices.tenants}
          choice={choice}
          none="No tenant"
        />
        <One
          name="class"
          label="Class"
          value={choice.kind}
          values={data?.choices.classes}
          choice={choice}
          words={classWords}
        />
        {choice.waitsFor !== undefined && (
          <Button onClick={() => choose({ for: undefined })} aria-label={`Waits for ${choice.waitsFor}: show all`}>
            Waits for <bdi className="font-mono text-12">{resourceWords(choice.waitsFor)}</bdi>{' '}
            <span aria-hidden>×</span>
          </Button>
        )}
        {choice.isFiltered && (
          <Button look="quiet" onClick={() => choose(UNFILTERED)}>
            Clear filters
          </Button>
        )}
      </div>
    </div>
  )
}

const UNFILTERED = { search: undefined, namespace: undefined, tenant: undefined, class: undefined, for: undefined }

const viewsOf = (counts: Workloads['counts'] | undefined) =>
  (
    [
      ['all', 'All', counts && counts.running + counts.queued],
      ['running', 'Running', counts?.running],
      ['waiting', 'Waiting', counts?.queued],
      ['idle', 'Idle now', counts?.idle],
      ['ended', 'Ended', counts?.ended],
    ] as const
  ).map(([value, label, count]) => ({ value, label, ...(count === undefined ? {} : { count }) }))

type OneProps = {
  readonly name: 'namespace' | 'tenant' | 'class'
  readonly label: string
  readonly value: string | undefined
  readonly values: readonly string[] | undefined
  readonly choice: WorkloadChoice
  /** What is said for an empty text, where that can be chosen. */
  readonly none?: string
  readonly words?: (value: string) => string
}

/** Not there where nothing can be chosen; a value that the address names and nobody has stays choosable. */
function One({ name, label, value, values = [], choice, none, words = same }: OneProps) {
  if (values.length < (none === undefined ? 2 : 1) && value === undefined) return undefined
  const unlisted = [value ?? ''].filter((text) => text !== '' && !values.includes(text))
  return (
    <ChoiceField
      label={label}
      inline
      value={value ?? EVERY}
      options={[
        { value: EVERY, label: 'All' },
        ...[...unlisted, ...values].map((each) => ({ value: each, label: words(each) })),
        ...noneOf(none),
      ]}
      onChange={(text) => choice.choose({ [name]: text === EVERY ? undefined : text })}
    />
  )
}

const same = (text: string): string => text

const noneOf = (none: string | undefined) => (none === undefined ? [] : [{ value: '', label: none }])
