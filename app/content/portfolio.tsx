import { brand } from '#app/brand.ts'
import { indexable } from '#app/meta.ts'
import { Icon } from '#app/ui/icon.tsx'
import type { Route } from './+types/portfolio'

const { developer } = brand

export const meta: Route.MetaFunction = ({ matches }) =>
  indexable(matches, {
    title: 'Portfolio',
    description: `${developer.name}, ${developer.role}. ${developer.description}`,
    path: '/portfolio',
  })

export default function Portfolio() {
  return (
    <>
      <section className="mt-10 grid items-center gap-x-12 gap-y-6 md:grid-cols-[18rem_1fr]">
        <img
          src={developer.picture}
          alt=""
          width="400"
          height="400"
          className="plate aspect-square w-40 md:w-full"
        />
        <div>
          <h1>{developer.name}</h1>
          <p className="mt-1 text-lg text-primary">{developer.role}</p>
          <p className="mt-4 max-w-[52ch] text-lg">{developer.description}</p>
          <address className="mt-6 flex flex-wrap gap-x-8 gap-y-2 not-italic">
            <span className="flex items-center gap-2">
              <Icon name="place" className="size-5 text-primary" />
              {developer.address}
            </span>
            <a
              href={`tel:${developer.phone.replaceAll(' ', '')}`}
              className="flex items-center gap-2 hover:underline"
            >
              <Icon name="phone" className="size-5 text-primary" />
              {developer.phone}
            </a>
            <a href={`mailto:${developer.email}`} className="flex items-center gap-2 hover:underline">
              <Icon name="mail" className="size-5 text-primary" />
              {developer.email}
            </a>
          </address>
        </div>
      </section>

      <section className="mt-14">
        <h2>Skills</h2>
        <ul className="mt-4 flex flex-wrap gap-2">
          {developer.skills.map((skill) => (
            <li key={skill} className="border border-base-300 px-3 py-1">
              {skill}
            </li>
          ))}
        </ul>
      </section>

      <section className="mt-14">
        <h2>Projects</h2>
        <div className="mt-6 grid gap-x-6 gap-y-10 md:grid-cols-3">
          {developer.projects.map(({ name, description, made }) => (
            <article key={name} className="flex flex-col border-t-2 border-base-content pt-4">
              <h3 className="text-lg">{name}</h3>
              <p className="mt-2">{description}</p>
              <p className="mt-auto pt-4 text-sm text-base-content/75">{`Built with ${made}`}</p>
            </article>
          ))}
        </div>
      </section>
    </>
  )
}
