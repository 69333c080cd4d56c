import { lineIcon } from './line-icon.tsx'

// Apart from those of ui/icons.tsx, which the first load of the site pays for.
export const CloseIcon = lineIcon(<path d="m4 4 8 8M12 4l-8 8" />)
export const BellIcon = lineIcon(<path d="M3 11.5h10L11.7 9.6V6.8a3.7 3.7 0 0 0-7.4 0v2.8ZM6.6 13.6h2.8" />)
export const SearchIcon = lineIcon(<path d="M7 2.5a4.5 4.5 0 1 1 0 9 4.5 4.5 0 0 1 0-9ZM10.4 10.4l3.1 3.1" />)
export const AskIcon = lineIcon(<path d="M2.5 3h11v8h-6l-3 2.6V11h-2ZM5.2 6h5.6M5.2 8.3h3.4" />)
