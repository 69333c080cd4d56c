import { PLATFORM_WALL, PLATFORMS, type Platform, type Tried } from '../content/platforms.ts'
import { Section } from './Section.tsx'
import { SectionHead } from './SectionHead.tsx'

/** Names of what Septet reads and runs on, as text, each with how it was tried. */
export function PlatformWall() {
  const { title, lead, tried } = PLATFORM_WALL
  return (
    <Section id="platforms" labeledBy="platforms-title">
      <SectionHead id="platforms-title" title={title} lead={lead} />
      <ul className="mt-8 flex flex-wrap gap-x-6 gap-y-2 text-13 text-ink-soft">
        {KINDS.map((kind) => (
          <li key={kind} className="flex items-center gap-2">
            <TriedMark tried={kind} />
            {tried[kind]}
          </li>
        ))}
      </ul>
      <ul className="mt-6 grid border-t border-l border-line sm:grid-cols-2 lg:grid-cols-4">
        {PLATFORMS.map((platform) => (
          <Mark key={platform.name} platform={platform} />
        ))}
      </ul>
    </Section>
  )
}

const KINDS = ['real program', 'recorded answers', 'published format'] as const

function Mark({ platform: { name, logo, relation, tried, how } }: { readonly platform: Platform }) {
  return (
    <li className="flex flex-col border-r border-b border-line p-4 sm:p-5">
      <p className="flex items-center justify-between gap-3 text-12 text-ink-quiet">
        {relation}
        <TriedMark tried={tried} />
      </p>
      <h3 className="mt-2 text-16 sm:mt-6 sm:text-20 font-semibold tracking-[-0.02em]">
        {logo === name ? (
          name
        ) : (
          <abbr title={name} className="no-underline">
            {logo}
          </abbr>
        )}
      </h3>
      <p className="mt-1 text-13 sm:mt-2 text-pretty text-ink-soft">
        <span className="sr-only">Tried: {PLATFORM_WALL.tried[tried]}. </span>
        {how}
      </p>
    </li>
  )
}

/** As full as it was tried: a solid block, a half-filled one, an outline. */
function TriedMark({ tried }: { readonly tried: Tried }) {
  return (
    <span
      aria-hidden
      className="flex h-3.5 w-6 shrink-0 flex-col justify-end overflow-hidden rounded-[3px] border-[1.5px] border-busy"
    >
      <span className="bg-busy" style={{ height: FILL[tried] }} />
    </span>
  )
}

const FILL = { 'real program': '100%', 'recorded answers': '50%', 'published format': '0%' } satisfies Record<
  Tried,
  string
>
