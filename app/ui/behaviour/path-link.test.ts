import { createElement, type FunctionComponent } from 'react'
import { renderToStaticMarkup } from 'react-dom/server'
import { Link, MemoryRouter } from 'react-router'
import { expect, test } from 'vitest'
import { PathLink } from './path-link.tsx'

test('on the server, a PathLink renders what React Router’s link does, whatever page it is on', () => {
  const props = { to: '/parts/1?quantity=2', className: 'link', tabIndex: -1, 'aria-hidden': true }
  const render = (link: FunctionComponent<typeof props>) =>
    renderToStaticMarkup(
      createElement(MemoryRouter, { initialEntries: ['/blogs/deep?page=2'] }, createElement(link, props)),
    )
  expect(PathLink).not.toBe(Link)
  expect(render(PathLink as FunctionComponent<typeof props>)).toBe(render(Link as never))
})
