import { Button } from '../../ui/Button.tsx'
import type { Cluster } from '../client/sources.ts'
import { useUrlState } from '../address/url-state.ts'
import { failureWords } from '../client/failure-words.ts'

type Props = { readonly error: Error; readonly retry: () => void; readonly others: readonly Cluster[] }

/** The page without any figure: why, and the sources that can still be shown. */
export function NoSummary({ error, retry, others }: Props) {
  const { choose } = useUrlState()
  return (
    <section
      role="alert"
      className="enters grid justify-items-start gap-4 rounded-card border border-line bg-surface px-6 py-10 sm:px-10"
    >
      <h2 className="text-20 font-semibold tracking-tight">No data</h2>
      <p className="max-w-xl text-ink-soft">{failureWords(error)}</p>
      <div className="flex flex-wrap gap-2">
        <Button look="strong" className="min-h-8" onClick={retry}>
          Try again
        </Button>
        {others.map(({ id, name }) => (
          <Button key={id} className="min-h-8 max-w-full" onClick={() => choose({ cluster: id })}>
            Show <bdi className="truncate">{name}</bdi>
          </Button>
        ))}
      </div>
    </section>
  )
}
