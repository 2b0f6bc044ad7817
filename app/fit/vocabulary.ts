import { publishVocabulary } from '#shop/fit/published.ts'

/** The same for everybody: other shops may build on it. */
export function loader() {
  return Response.json(publishVocabulary(), {
    headers: { 'Access-Control-Allow-Origin': '*', 'Cache-Control': 'public, max-age=3600' },
  })
}
