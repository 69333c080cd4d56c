import { PLATFORM_WALL, PLATFORMS, type Platform, type Tried } from '../content/platforms.ts'
import { Fold } from './Fold.tsx'
import { PLATFORM_MARKS } from './PlatformMarks.tsx'
import { Section } from './Section.tsx'
import { SectionHead } from './SectionHead.tsx'

/** What Septet reads, runs on and answers, each with a mark of its kind and how it was tested. */
export function PlatformWall() {
  const { title, lead, fold, tried } = PLATFORM_WALL
  return (
    <Section id="platforms" labeledBy="platforms-title">
      <SectionHead id="platforms-title" title={title} lead={lead} />
      <ul className="mt-5 grid grid-cols-2 border-t border-l border-line sm:grid-cols-3 md:mt-6 lg:grid-cols-6">
        {PLATFORMS.map((platform) => (
          <Mark key={platform.name} platform={platform} />
        ))}
      </ul>
      <ul className="mt-3 mb-3 flex flex-wrap gap-x-6 gap-y-1 text-13 text-ink-soft">
        {KINDS.map((kind) => (
          <li key={kind} className="flex items-center gap-2">
            <TriedMark tried={kind} />
            {tried[kind]}
          </li>
        ))}
      </ul>
      <Fold title={fold}>
        <dl className="mt-3 grid gap-x-10 sm:grid-cols-2">
          {PLATFORMS.map(({ name, how }) => (
            <div key={name} className="border-b border-line py-2 text-13">
              <dt className="font-medium">{name}</dt>
              <dd className="text-pretty text-ink-soft">{how}</dd>
            </div>
          ))}
        </dl>
      </Fold>
    </Section>
  )
}

const KINDS = ['real program', 'recorded answers', 'published format'] as const

function Mark({ platform: { name, logo, mark, tried } }: { readonly platform: Platform }) {
  return (
    <li className="flex items-center gap-2 border-r border-b border-line px-2.5 py-2.5 md:gap-2.5 md:px-4 md:py-3.5">
      <span className="shrink-0 text-ink-soft max-sm:hidden">{PLATFORM_MARKS[mark]}</span>
      <h3 className="min-w-0 grow text-13 leading-tight md:text-14 font-semibold tracking-tight">
        {logo === name ? (
          name
        ) : (
          <abbr title={name} className="no-underline">
            {logo}
          </abbr>
        )}
        <span className="sr-only">: {PLATFORM_WALL.tried[tried]}</span>
      </h3>
      <TriedMark tried={tried} />
    </li>
  )
}

/** As full as it was tried: a solid block, a half-filled one, an outline. */
function TriedMark({ tried }: { readonly tried: Tried }) {
  return (
    <span
      aria-hidden
      className="flex h-3 w-4 shrink-0 sm:h-3.5 sm:w-6 flex-col justify-end overflow-hidden rounded-[3px] border-[1.5px] border-busy"
    >
      <span className="bg-busy" style={{ height: FILL[tried] }} />
    </span>
  )
}

const FILL = { 'real program': '100%', 'recorded answers': '50%', 'published format': '0%' } satisfies Record<
  Tried,
  string
>
