import type { ReactNode } from 'react'

/** 48 by 48 units in the text colour; a brand without a logo shows only its name. */
export const brandLogos: Record<string, ReactNode> = {
  Aldermoor: (
    <svg viewBox="0 0 48 48" fill="currentColor" aria-hidden="true">
      <path
        fillRule="evenodd"
        d="M3.8 35.6L18.3 7.6A6.4 6.4 0 0 1 29.7 7.6L44.2 35.6A6.4 6.4 0 1 1 32.8 41.4L24 24.4L15.2 41.4A6.4 6.4 0 1 1 3.8 35.6zM6.9 38.5a2.6 2.6 0 1 0 5.2 0a2.6 2.6 0 1 0-5.2 0zM35.9 38.5a2.6 2.6 0 1 0 5.2 0a2.6 2.6 0 1 0-5.2 0zM21.4 10.5a2.6 2.6 0 1 0 5.2 0a2.6 2.6 0 1 0-5.2 0z"
      />
    </svg>
  ),
  Longbarrow: (
    <svg viewBox="0 0 48 48" fill="currentColor" aria-hidden="true">
      <path
        fillRule="evenodd"
        d="M2 34a22 22 0 0 1 44 0h-5.5a16.5 16.5 0 0 0-33 0zM17.5 34a6.5 6.5 0 0 1 13 0z"
      />
      <path d="M2 37.5h44v4H2z" />
      <path
        fill="none"
        stroke="currentColor"
        strokeWidth="3.2"
        d="M16.4 31.5L7.8 28.7M19.3 27.5L14 20.2M24 26L24 17M28.7 27.5L34 20.2M31.6 31.5L40.2 28.7"
      />
    </svg>
  ),
  Stillbrook: (
    <svg viewBox="0 0 48 48" fill="currentColor" aria-hidden="true">
      <path
        fill="none"
        stroke="currentColor"
        strokeWidth="3.8"
        strokeLinecap="round"
        d="M4 24a20 20 0 1 0 40 0a20 20 0 1 0-40 0zM16.5 24a7.5 7.5 0 1 0 15 0a7.5 7.5 0 1 0-15 0zM31.5 24Q39 23.5 40.2 35.8M27.8 30.5Q31.9 36.7 21.9 43.9M20.3 30.5Q17 37.2 5.7 32.1M16.5 24Q9 24.5 7.8 12.2M20.2 17.5Q16.1 11.3 26.1 4.1M27.8 17.5Q31 10.8 42.3 15.9"
      />
    </svg>
  ),
  Fernholt: (
    <svg viewBox="0 0 48 48" fill="currentColor" aria-hidden="true">
      <path d="M22.6 16.1L15.6 11.8v-6.6L22.6 9.5zM25.4 16.1L32.4 11.8v-6.6L25.4 9.5zM22.6 25.6L9.6 17.5v-6.6L22.6 19zM25.4 25.6L38.4 17.5v-6.6L25.4 19zM22.6 35.1L4.1 23.6v-6.6L22.6 28.5zM25.4 35.1L43.9 23.6v-6.6L25.4 28.5zM22.6 44.6L1.6 31.6v-6.6L22.6 38zM25.4 44.6L46.4 31.6v-6.6L25.4 38z" />
    </svg>
  ),
  Ostrand: (
    <svg viewBox="0 0 48 48" fill="currentColor" aria-hidden="true">
      <path fill="none" stroke="currentColor" strokeWidth="5.6" d="M9.5 46V23.5a14.5 14.5 0 0 1 29 0V46" />
      <path fill="none" stroke="currentColor" strokeWidth="5.6" d="M24 9V1.5" />
      <circle cx="24" cy="29" r="6" fill="none" stroke="currentColor" strokeWidth="5.2" />
    </svg>
  ),
  Kettlewick: (
    <svg viewBox="0 0 48 48" fill="currentColor" aria-hidden="true">
      <path
        fillRule="evenodd"
        d="M35.1 30.6a4.8 4.8 0 1 0 9.6 0a4.8 4.8 0 1 0-9.6 0zM25.8 39.9a4.8 4.8 0 1 0 9.6 0a4.8 4.8 0 1 0-9.6 0zM12.6 39.9a4.8 4.8 0 1 0 9.6 0a4.8 4.8 0 1 0-9.6 0zM3.3 30.6a4.8 4.8 0 1 0 9.6 0a4.8 4.8 0 1 0-9.6 0zM3.3 17.4a4.8 4.8 0 1 0 9.6 0a4.8 4.8 0 1 0-9.6 0zM12.6 8.1a4.8 4.8 0 1 0 9.6 0a4.8 4.8 0 1 0-9.6 0zM25.8 8.1a4.8 4.8 0 1 0 9.6 0a4.8 4.8 0 1 0-9.6 0zM35.1 17.4a4.8 4.8 0 1 0 9.6 0a4.8 4.8 0 1 0-9.6 0zM15 24a9 9 0 1 0 18 0a9 9 0 1 0-18 0zM20 24a4 4 0 1 0 8 0a4 4 0 1 0-8 0z"
      />
    </svg>
  ),
}
