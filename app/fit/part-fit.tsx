import { Link } from 'react-router'
import type { PartFit } from '#shop/fit/part-fit.server.ts'
import { FitAnswerBox } from './fit-answer.tsx'

/** Of a part’s page. Its form is sent by the address, so that an answer can be shared. */
export function PartFitSection({ partId, fit }: { partId: string; fit: PartFit }) {
  const { number, needs, fits, suggestions, asked } = fit
  return (
    <section id="fit" className="mt-16 scroll-mt-6" aria-labelledby="fit-title">
      <h2 id="fit-title">Does it fit?</h2>
      <form action={`/parts/${partId}#fit`} className="mt-4 flex max-w-3xl flex-wrap items-end gap-3">
        <label className="min-w-0 grow">
          <span className="mb-1 block text-sm font-medium">Part number, or what you have</span>
          <input
            name="fitsWith"
            list="fit-suggestions"
            defaultValue={asked?.text}
            maxLength={400}
            autoComplete="off"
            placeholder={suggestions[0] ?? 'WW-CS12'}
            className="input w-full"
          />
        </label>
        <datalist id="fit-suggestions">
          {suggestions.map((text) => (
            <option key={text} value={text} />
          ))}
        </datalist>
        <button type="submit" className="btn">
          Check fit
        </button>
        <Link to={`/fit?part=${encodeURIComponent(number)}#describe`} className="link py-3 text-sm">
          Describe what you have
        </Link>
      </form>
      {asked && (
        <div className="mt-4 max-w-3xl" role="status">
          {asked.fit ? (
            <FitAnswerBox title={`${number} with ${asked.text}`} fit={asked.fit} />
          ) : (
            <p className="text-error">{asked.problem}</p>
          )}
        </div>
      )}
      <div className="mt-8 grid gap-x-14 gap-y-8 lg:grid-cols-2">
        {fits.length > 0 && (
          <div>
            <h3>Fits</h3>
            <ul className="mt-2 border-t border-base-300">
              {fits.map(({ id, name, number, answer, because }) => (
                <li key={id} className="border-b border-base-300 py-2.5">
                  <Link to={`/parts/${id}`} className="font-medium hover:underline">
                    {name}
                  </Link>
                  <span className="text-sm text-base-content/75">{` ${number}`}</span>
                  <p className="text-sm text-base-content/75">{`${answer}. ${because}`}</p>
                </li>
              ))}
            </ul>
          </div>
        )}
        {needs.length > 0 && (
          <div>
            <h3>Needs also</h3>
            <ul className="mt-2 border-t border-base-300">
              {needs.map(({ what, by }) => (
                <li key={by} className="border-b border-base-300 py-2.5">
                  <p className="font-medium">{what}</p>
                  <p className="text-sm text-base-content/75">{by}</p>
                </li>
              ))}
            </ul>
          </div>
        )}
      </div>
    </section>
  )
}
