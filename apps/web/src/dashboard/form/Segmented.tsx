import { ToggleGroup } from 'radix-ui'

type Props<Value extends string> = {
  readonly label: string
  readonly options: readonly { readonly value: Value; readonly label: string; readonly count?: number }[]
  readonly value: Value
  readonly onChange: (value: Value) => void
}

/** One of a few, side by side. */
export const Segmented = <Value extends string>({ label, options, value, onChange }: Props<Value>) => (
  <ToggleGroup.Root
    type="single"
    aria-label={label}
    value={value}
    onValueChange={(text) => {
      const chosen = options.find((option) => option.value === text)
      if (chosen !== undefined) onChange(chosen.value)
    }}
    className="flex w-fit max-w-full flex-wrap gap-0.5 rounded-control border border-line bg-surface p-0.5"
  >
    {options.map((option) => (
      <ToggleGroup.Item
        key={option.value}
        value={option.value}
        className="min-h-6.5 rounded-[4px] px-2.5 text-13 text-ink-soft transition-colors hover:text-ink data-[state=on]:bg-sunken data-[state=on]:font-medium data-[state=on]:text-ink"
      >
        {option.label}
        {option.count !== undefined && <span className="ml-1.5 font-mono text-12 text-ink-quiet">{option.count}</span>}
      </ToggleGroup.Item>
    ))}
  </ToggleGroup.Root>
)
