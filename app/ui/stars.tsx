export const stars = [1, 2, 3, 4, 5]

export const starPath = 'm10 1.8 2.5 5.3 5.8.8-4.2 4 1 5.8L10 14.9l-5.1 2.8 1-5.8-4.2-4 5.8-.8z'

export function Stars({ rating }: { rating: number }) {
  return (
    <svg viewBox="0 0 108 20" className="mt-1 h-4" role="img">
      <title>{`${rating} of 5 stars`}</title>
      {stars.map((star) => (
        <path
          key={star}
          d={starPath}
          transform={`translate(${(star - 1) * 22})`}
          className={star <= rating ? 'fill-primary' : 'fill-base-300'}
        />
      ))}
    </svg>
  )
}
