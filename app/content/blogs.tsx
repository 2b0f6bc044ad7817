import { article as prototypalInheritance } from '#app/content/articles/prototypal-inheritance.tsx'
import { article as reactPerformance } from '#app/content/articles/react-performance.tsx'
import { article as reactState } from '#app/content/articles/react-state.tsx'
import { article as settingState } from '#app/content/articles/setting-state-directly.tsx'
import { article as unitTests } from '#app/content/articles/unit-tests.tsx'
import { indexable } from '#app/meta.ts'
import type { Route } from './+types/blogs'
import { Prose } from './prose.tsx'

const articles = [reactPerformance, reactState, prototypalInheritance, settingState, unitTests]

export const meta: Route.MetaFunction = ({ matches }) =>
  indexable(matches, {
    title: 'Recent Blogs',
    description:
      'Five questions that came up while we built this shop, each with a short answer and the details.',
    path: '/blogs',
  })

export default function Blogs() {
  return (
    <>
      <header className="mt-10">
        <h1>Recent Blogs</h1>
        <p className="mt-3 max-w-prose text-lg text-base-content/80">
          Five questions that came up while we built this shop. Each starts with a short answer.
        </p>
      </header>
      {articles.map(({ id, question, answer, body }, i) => (
        <article
          key={id}
          id={id}
          className="mt-14 grid items-start gap-x-14 gap-y-6 border-t-2 border-base-content pt-8 lg:grid-cols-2"
        >
          <img
            src={`/illustrations/${id}.svg`}
            alt=""
            width="800"
            height="600"
            loading={i === 0 ? 'eager' : 'lazy'}
            className={`plate aspect-4/3 w-full lg:sticky lg:top-8 ${i % 2 ? 'lg:order-last' : ''}`}
          />
          <div className="min-w-0">
            <h2 className="text-[clamp(1.375rem,1.15rem+1vw,1.875rem)]">{question}</h2>
            <p className="mt-3 text-lg font-medium">{answer}</p>
            <div className="mt-5">
              <Prose>{body}</Prose>
            </div>
          </div>
        </article>
      ))}
    </>
  )
}
