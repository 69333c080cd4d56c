import { Fragment } from 'react'

import { CopyButton } from '../../ui/CopyButton.tsx'

/** A command to paste into a terminal. A long one goes on in the next line, and none is cut inside a word. */
export function CopyCommand({ command }: { readonly command: string }) {
  return (
    <div className="flex min-h-11 items-center justify-between gap-3 rounded-control border border-line bg-surface pr-2 pl-3.5">
      <code className="min-w-0 py-2 font-mono text-13 text-ink-soft">
        {command.split(BREAKS).map((part, index) => (
          // oxlint-disable-next-line react/no-array-index-key -- the parts are fixed and keep their order
          <Fragment key={index}>
            <wbr />
            <span className="whitespace-nowrap">{part.trimEnd()}</span>
            {part.endsWith(' ') && ' '}
          </Fragment>
        ))}
      </code>
      <CopyButton text={() => command} label="Copy" />
    </div>
  )
}

/** Between words, and inside an address or an assignment after a part of it. */
const BREAKS = /(?<= |\w[/?&=])/u
