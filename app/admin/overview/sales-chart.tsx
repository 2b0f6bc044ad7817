import { useEffect, useId, useRef } from 'react'
import type { Overview } from '#shop/overview/overview.ts'
import type { StepUnit } from '#shop/overview/period.ts'
import type { BarSeries } from './bar-chart.ts'

type Step = Overview['current']['steps'][number]

interface Props {
  title: string
  unit: StepUnit
  current: Step[]
  previous: Step[]
  /** What `previous` is, in a sentence. */
  before: string
  valueIn: (step: Step) => number
  format: (value: number) => string
}

/** Bars, and the same as a table for those who cannot see them. */
export function SalesChart({ title, unit, current, previous, before, valueIn, format }: Props) {
  const id = useId()
  const labels = current.map(({ from }) => formatStep(unit, from))
  const [values, valuesBefore] = [current.map(valueIn), previous.map(valueIn)]
  const series = { labels, values, valuesBefore, before, format }
  return (
    <figure aria-labelledby={id} className="min-w-0">
      <figcaption id={id} className="mb-3 font-semibold">
        {title}
      </figcaption>
      <Bars key={JSON.stringify([labels, values, valuesBefore])} {...series} title={title} />
      <details className="mt-3">
        <summary className="link">Show as table</summary>
        <div className="mt-3">
          <table className="table table-sm">
            <thead>
              <tr>
                <th scope="col">{unit === 'week' ? 'Week from' : unit === 'month' ? 'Month' : 'Day'}</th>
                <th scope="col" className="text-right">
                  {title.replace(/ by .*/, '')}
                </th>
                <th scope="col" className="text-right">
                  {`In ${before}`}
                </th>
              </tr>
            </thead>
            <tbody>
              {labels.map((label, i) => (
                <tr key={label}>
                  <th scope="row">{label}</th>
                  <td className="text-right">{format(values[i]!)}</td>
                  <td className="text-right">{format(valuesBefore[i]!)}</td>
                </tr>
              ))}
            </tbody>
          </table>
        </div>
      </details>
    </figure>
  )
}

function Bars({ title, ...series }: BarSeries & { title: string }) {
  const canvas = useRef<HTMLCanvasElement>(null)
  const drawn = useRef(series)
  useEffect(() => {
    let stop = () => {}
    let gone = false
    void import('./bar-chart.ts').then(
      ({ drawBars }) => {
        if (!gone && canvas.current) stop = drawBars(canvas.current, drawn.current)
      },
      // Without the chart, there is the table.
      () => {},
    )
    return () => {
      gone = true
      stop()
    }
  }, [])
  return (
    <div className="relative h-64">
      <canvas ref={canvas} role="img" aria-label={`Bar chart: ${title}. The table below has the figures.`} />
    </div>
  )
}

const formats = {
  day: new Intl.DateTimeFormat('en-GB', { day: 'numeric', month: 'short', timeZone: 'UTC' }),
  month: new Intl.DateTimeFormat('en-GB', { month: 'short', year: 'numeric', timeZone: 'UTC' }),
}

function formatStep(unit: StepUnit, from: string) {
  return formats[unit === 'month' ? 'month' : 'day'].format(new Date(from))
}
