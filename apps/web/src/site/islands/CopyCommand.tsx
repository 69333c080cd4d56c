import { CopyButton } from '../../ui/CopyButton.tsx'

/** A command to paste into a terminal. */
export function CopyCommand({ command }: { readonly command: string }) {
  return (
    <div className="flex min-h-11 items-center justify-between gap-3 rounded-control border border-line bg-surface pr-2 pl-3.5">
      <code
        // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- it scrolls where it is longer than its field
        tabIndex={0}
        className="min-w-0 overflow-x-auto font-mono text-13 whitespace-nowrap text-ink-soft"
      >
        {command}
      </code>
      <CopyButton text={() => command} label="Copy" />
    </div>
  )
}
