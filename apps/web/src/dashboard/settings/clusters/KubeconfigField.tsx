import { useQuery } from '@tanstack/react-query'
import { useDeferredValue } from 'react'

import { tell } from '../../../api.ts'
import { LongField } from '../../../ui/LongField.tsx'
import { failureWords } from '../../client/failure-words.ts'
import { ProblemBox } from '../../form/Problem.tsx'
import { ChoiceField } from '../../form/ChoiceField.tsx'
import type { ConnectionDraft } from './connection-draft.ts'

type Chosen = Pick<ConnectionDraft, 'kubeconfig' | 'context'>
type Props = {
  readonly draft: Chosen
  readonly change: (change: Partial<Chosen>) => void
}

/** A kubeconfig, pasted or from a file, and which of its contexts is meant. */
export function KubeconfigField({ draft, change }: Props) {
  const { offered, problem } = useContexts(draft.kubeconfig)
  const take = async (file: File | undefined): Promise<void> => {
    if (file !== undefined) change({ kubeconfig: await file.text(), context: undefined })
  }
  return (
    <div className="grid gap-3">
      <LongField
        label="Kubeconfig"
        value={draft.kubeconfig}
        change={(kubeconfig) => change({ kubeconfig, context: undefined })}
        rows={7}
        placeholder={'apiVersion: v1\nkind: Config'}
        aside={
          <label className="relative cursor-pointer rounded-control text-13 text-accent-ink underline underline-offset-4 focus-within:outline-2 focus-within:outline-accent">
            Choose a file
            <input
              type="file"
              className="absolute inset-0 cursor-pointer opacity-0"
              onChange={(event) => void take(event.currentTarget.files?.[0])}
            />
          </label>
        }
        note={
          <>
            Everything must be inside: <code className="font-mono">kubectl config view --raw --flatten --minify</code>{' '}
            writes it so. Only the chosen context is kept, sealed, and it is never shown again.
          </>
        }
      />
      <ProblemBox words={problem} className="wrap-anywhere" />
      {offered !== undefined && <Contexts contexts={offered} draft={draft} change={change} />}
    </div>
  )
}

type ContextsProps = Props & { readonly contexts: readonly OfferedContext[] }

function Contexts({ contexts, draft, change }: ContextsProps) {
  const chosen = contexts.find(({ name, isCurrent }) =>
    draft.context === undefined ? isCurrent : name === draft.context,
  )
  const options = contexts.map(({ name, refused, isCurrent }) => ({
    value: name,
    label: `${name}${isCurrent ? ' (current)' : ''}${refused === null ? '' : ', cannot be used'}`,
  }))
  return (
    <div className="grid gap-2">
      <div className="max-w-md">
        <ChoiceField
          label="Context"
          value={chosen?.name ?? ''}
          options={chosen === undefined ? [{ value: '', label: 'Choose one' }, ...options] : options}
          onChange={(context) => change({ context: context === '' ? undefined : context })}
        />
      </div>
      <ProblemBox words={chosen?.refused ?? undefined} className="wrap-anywhere" />
      {chosen?.refused === null && (
        <p className="text-13 text-ink-soft wrap-anywhere">
          <span className="font-mono text-12">{chosen.server}</span>, signs in by {chosen.signsInBy}.
        </p>
      )}
    </div>
  )
}

type OfferedContext = {
  readonly name: string
  readonly server: string
  readonly signsInBy: string
  readonly isCurrent: boolean
  readonly refused: string | null
}

type Contexts = { readonly offered: readonly OfferedContext[] | undefined; readonly problem: string | undefined }

/** Which contexts a kubeconfig offers, as the server reads it. */
function useContexts(kubeconfig: string): Contexts {
  const text = useDeferredValue(kubeconfig)
  const { data, error } = useQuery({
    queryKey: ['connectionsContexts', text],
    queryFn: () => tell('connectionsContexts', { kubeconfig: text }),
    enabled: text.trim() !== '',
    retry: false,
    // It holds secrets, so nothing of it stays in memory once it is not shown.
    gcTime: 0,
  })
  return { offered: data?.contexts, problem: error === null ? undefined : failureWords(error) }
}
