import { SliceBar } from '../../ui/SliceBar.tsx'
import { useWidth } from '../../ui/use-width.ts'
import type { DraftGpu, HeldPart } from './layout-draft.ts'

type Props = { readonly gpu: DraftGpu; readonly leaving: readonly HeldPart[] }

/** The GPU as it is held now; whoever would have to leave for the target is underlined, and named. */
export function NowBar({ gpu, leaving }: Props) {
  const [frame, width] = useWidth<HTMLDivElement>()
  const { view } = gpu
  return (
    <div ref={frame} className="grid gap-1">
      <p className="text-12 text-ink-quiet">GPU {view.index} now</p>
      <SliceBar gpu={view} height={30} {...(width === undefined ? {} : { width })} />
      <div
        aria-hidden
        className="grid min-h-1 gap-[3px]"
        style={{ gridTemplateColumns: `repeat(${view.slots}, minmax(0, 1fr))` }}
      >
        {leaving.map(({ instance }, order) => (
          <span
            key={instance?.placement.start ?? `whole-${order}`}
            className="row-start-1 h-1 rounded-full bg-(--idle)"
            style={{
              gridColumn:
                instance === undefined ? '1 / -1' : `${instance.placement.start + 1} / span ${instance.placement.size}`,
            }}
          />
        ))}
      </div>
      {leaving.length > 0 && (
        <p className="text-12 text-idle-ink wrap-anywhere">
          Must move:{' '}
          {leaving.map((part) => `${partWords(part)} (${part.holder ?? 'a namespace you cannot see'})`).join(', ')}
        </p>
      )}
    </div>
  )
}

const partWords = ({ instance }: HeldPart): string =>
  instance === undefined ? 'the whole GPU' : `${instance.profile} at ${instance.placement.start}`
