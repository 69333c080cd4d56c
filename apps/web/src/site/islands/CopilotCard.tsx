import type copilot from '../../../content/copilot.json'
import { Glyph } from '../../ui/Glyph.tsx'
import type { CopilotMoment, CopilotScene } from './copilot-timeline.ts'
import { CopilotScore } from './CopilotScore.tsx'
import { NOT_YET, TypedText } from './TypedText.tsx'

/** A response is what the co-pilot answers on sample data, word for word, with the operations that it cites. */
export type CopilotExample = (typeof copilot.examples)[number]

type Props = {
  readonly example: CopilotExample
  readonly active: boolean
  /** What is shown so far; undefined when all is shown. */
  readonly scene: CopilotScene | undefined
  readonly time: (CopilotMoment & { readonly running: boolean }) | undefined
  readonly onChoose: () => void
}

/** One example: question, answer, and where the answer comes from. Dimmed unless it is the active one. */
export function CopilotCard({ example, active, scene, time, onChoose }: Props) {
  const { icon, category, prompt, response } = example
  return (
    <article
      data-active={active}
      className="group relative flex flex-col rounded-card border border-line p-4 text-ink-quiet transition-colors duration-150 hover:border-line-strong has-[:focus-visible]:outline-2 has-[:focus-visible]:outline-offset-2 has-[:focus-visible]:outline-accent data-[active=true]:border-line-strong data-[active=true]:bg-surface data-[active=true]:text-ink max-sm:p-3"
    >
      <label className="flex cursor-pointer items-center gap-2 text-13 font-medium after:absolute after:inset-0 after:rounded-card">
        <input
          type="radio"
          name="copilot-example"
          aria-label={`${category}: ${prompt}`}
          checked={active}
          onChange={onChoose}
          onClick={active ? onChoose : undefined}
          className="sr-only"
        />
        <span className="group-data-[active=true]:text-busy-ink">
          <Glyph path={icon} box={16} />
        </span>
        {category}
      </label>
      <Conversation example={example} scene={scene} />
      <CopilotScore length={response.length} time={time} dimmed={!active} />
    </article>
  )
}

/** Complete where there is no scene; what is not shown yet keeps its room. */
function Conversation({ example, scene }: Pick<Props, 'example' | 'scene'>) {
  const { prompt, response, operations } = example
  const typed = scene?.typed ?? response.length
  const done = typed === response.length
  return (
    <>
      <p
        className={`max-w-[calc(100%-6.5rem)] -mt-6 self-end rounded-card border border-line px-3 py-1.5 text-14 transition-opacity duration-150 group-data-[active=true]:border-transparent group-data-[active=true]:bg-sunken ${scene?.prompt === false ? NOT_YET : ''}`}
      >
        <span className="sr-only">Question: </span>
        {prompt}
      </p>
      <div className="relative mt-2.5 grow">
        {scene?.thinking === true && <Thinking />}
        <p className="text-14 leading-relaxed">
          <span className="sr-only">Answer: </span>
          <TypedText text={response} shown={typed} caret={typed > 0 && !done} />
        </p>
      </div>
      <p
        className={`mt-2 font-mono text-12 text-ink-quiet max-sm:hidden transition-opacity duration-250 ${done ? '' : NOT_YET}`}
      >
        from {operations.join(' + ')}
      </p>
    </>
  )
}

/** Three bars at work: that an answer is being written. */
function Thinking() {
  return (
    <span
      aria-hidden
      data-thinking
      className="absolute top-1.5 left-0 flex h-3 items-end gap-1 motion-reduce:hidden noscript:hidden"
    >
      {[4, 2, 1].map((height, index) => (
        <span
          key={height}
          className="waits w-1.5 rounded-[1.5px] bg-busy"
          style={{ height: 4 + height * 2, animationDelay: `${index * -500}ms` }}
        />
      ))}
    </span>
  )
}
