import { data, isRouteErrorResponse, Link } from 'react-router'
import NotFound from '#app/content/not-found.tsx'
import { shopContext } from '#app/context.ts'
import { indexable, noindex } from '#app/meta.ts'
import { ErrorMessage } from '#app/ui/error-message.tsx'
import { readDrawingWithParts } from '#shop/drawings/drawings.server.ts'
import { ShopError } from '#shop/errors.ts'
import { partSummary } from '#shop/parts/part.ts'
import { pictureSources } from '#shop/pictures/picture.ts'
import type { Route } from './+types/drawing-page'
import { DrawingOrder } from './drawing-order.tsx'

export const meta: Route.MetaFunction = ({ matches, loaderData, params }) => {
  if (!loaderData) return noindex('Drawing')
  const { title, image } = loaderData.drawing
  return indexable(matches, {
    title: `Drawing: ${title}`,
    description: `The parts of the drawing “${title}” with their numbers, prices and stock, to order for any number of bikes.`,
    path: `/drawings/${params.id}`,
    picture: pictureSources(image).social,
  })
}

export async function loader({ context, params }: Route.LoaderArgs) {
  try {
    const { drawing, parts } = await readDrawingWithParts(context.get(shopContext).reader, params.id)
    return { drawing, parts: parts.map((part) => partSummary.parse(part)) }
  } catch (error) {
    if (error instanceof ShopError) throw data({ message: error.message }, 404)
    throw error
  }
}

export default function DrawingPage({ loaderData: { drawing, parts } }: Route.ComponentProps) {
  return (
    <>
      <p className="mt-6 text-sm lg:mt-10">
        <Link to="/drawings" className="link">
          Drawings
        </Link>
      </p>
      <h1 className="mt-2">{drawing.title}</h1>
      <p className="mt-2 text-base-content/75">{`Revision ${drawing.revision}`}</p>
      <DrawingOrder key={drawing._id} drawing={drawing} parts={parts} />
    </>
  )
}

export function ErrorBoundary({ error }: Route.ErrorBoundaryProps) {
  return isRouteErrorResponse(error) && error.status === 404 ? <NotFound /> : <ErrorMessage error={error} />
}
