import {
  BarController,
  BarElement,
  CategoryScale,
  Chart,
  type ChartConfiguration,
  Legend,
  LinearScale,
  Tooltip,
} from 'chart.js'

Chart.register(BarController, BarElement, CategoryScale, Legend, LinearScale, Tooltip)

export interface BarSeries {
  labels: string[]
  values: number[]
  valuesBefore: number[]
  before: string
  format: (value: number) => string
}

/** Follows the theme. Returns what removes the chart. */
export function drawBars(canvas: HTMLCanvasElement, series: BarSeries): () => void {
  let chart = new Chart(canvas, toConfiguration(series))
  const redraw = () => {
    chart.destroy()
    chart = new Chart(canvas, toConfiguration(series))
  }
  const themeChoice = new MutationObserver(redraw)
  themeChoice.observe(document.documentElement, { attributeFilter: ['data-theme'] })
  const systemTheme = matchMedia('(prefers-color-scheme: dark)')
  systemTheme.addEventListener('change', redraw)
  return () => {
    themeChoice.disconnect()
    systemTheme.removeEventListener('change', redraw)
    chart.destroy()
  }
}

function toConfiguration({
  labels,
  values,
  valuesBefore,
  before,
  format,
}: BarSeries): ChartConfiguration<'bar'> {
  const [text, grid, bar, outline] = ['base-content', 'base-300', 'primary', 'secondary'].map(readColour)
  const filled = { backgroundColor: bar!, hoverBackgroundColor: bar! }
  const outlined = { backgroundColor: 'transparent', borderColor: outline!, borderWidth: 1 }
  const font = { family: getComputedStyle(document.body).fontFamily }
  return {
    type: 'bar',
    data: {
      labels,
      datasets: [
        { label: 'This period', data: values, ...filled },
        {
          label: `${before[0]!.toUpperCase()}${before.slice(1)}`,
          data: valuesBefore,
          ...outlined,
          hoverBackgroundColor: 'transparent',
        },
      ],
    },
    options: {
      animation: false,
      maintainAspectRatio: false,
      interaction: { mode: 'index', intersect: false },
      scales: {
        x: { grid: { display: false }, ticks: { color: text!, font, maxRotation: 0, autoSkipPadding: 12 } },
        y: {
          beginAtZero: true,
          grid: { color: grid! },
          ticks: {
            color: text!,
            font,
            precision: 0,
            maxTicksLimit: 6,
            callback: (value) => format(Number(value)),
          },
        },
      },
      plugins: {
        legend: { align: 'start', labels: { color: text!, font, boxWidth: 12 } },
        tooltip: {
          titleFont: font,
          bodyFont: font,
          callbacks: { label: ({ dataset, parsed }) => `${dataset.label}: ${format(parsed.y ?? 0)}` },
        },
      },
    },
  }
}

function readColour(name: string) {
  return getComputedStyle(document.documentElement).getPropertyValue(`--color-${name}`).trim()
}
