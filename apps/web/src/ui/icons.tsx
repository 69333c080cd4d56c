import { lineIcon } from './line-icon.tsx'

export const PauseIcon = lineIcon(<path d="M5.5 3.5v9M10.5 3.5v9" />)
export const PlayIcon = lineIcon(<path d="M5 3.2v9.6l7.5-4.8Z" />)
export const ChevronDownIcon = lineIcon(<path d="m4 6 4 4 4-4" />)
export const ChevronRightIcon = lineIcon(<path d="m6 4 4 4-4 4" />)
export const CheckIcon = lineIcon(<path d="m3.5 8.5 3 3 6-7" />)
export const MenuIcon = lineIcon(<path d="M2.5 4.5h11M2.5 8h11M2.5 11.5h11" />)
export const WarningIcon = lineIcon(<path d="M8 2.2 14.3 13H1.7ZM8 6.5v3M8 11.2v.1" />)
export const InfoIcon = lineIcon(<path d="M8 1.8a6.2 6.2 0 1 1 0 12.4A6.2 6.2 0 0 1 8 1.8ZM8 7.5v3.3M8 5v.1" />)
export const TableIcon = lineIcon(<path d="M2.5 3.5h11v9h-11ZM2.5 6.8h11M2.5 9.6h11M6.5 6.8v5.7" />)
export const ChartIcon = lineIcon(<path d="M2.5 2.5v11h11M5 10l2.8-3.4 2.2 1.8L13.2 4" />)
export const CopyIcon = lineIcon(<path d="M5.5 5.5v-3h8v8h-3M2.5 5.5h8v8h-8Z" />)
export const SunIcon = lineIcon(
  <path d="M8 5.2a2.8 2.8 0 1 1 0 5.6 2.8 2.8 0 0 1 0-5.6ZM8 1.5v1M8 13.5v1M1.5 8h1M13.5 8h1M3.4 3.4l.7.7M11.9 11.9l.7.7M3.4 12.6l.7-.7M11.9 4.1l.7-.7" />,
)
export const MoonIcon = lineIcon(<path d="M13 9.6A5.5 5.5 0 0 1 6.4 3a5.5 5.5 0 1 0 6.6 6.6Z" />)
export const SystemIcon = lineIcon(<path d="M2.5 3.5h11v7h-11ZM6 13.5h4" />)
export const PersonIcon = lineIcon(
  <path d="M8 2.2a2.9 2.9 0 1 1 0 5.8 2.9 2.9 0 0 1 0-5.8ZM2.6 13.8a5.4 5.4 0 0 1 10.8 0" />,
)
export const LockIcon = lineIcon(<path d="M3.5 7h9v6.5h-9ZM5.5 7V4.8a2.5 2.5 0 0 1 5 0V7" />)
