import type { ElementType, Key } from 'react';
import * as react from 'react/jsx-runtime';
import { visibleChildren } from './visible-text';

export { Fragment } from 'react/jsx-runtime';

interface Props {
  children?: unknown;
}

/** What all JSX of the page becomes (vite.config.mjs), so that no view can forget `visibleChildren`. */
export function jsx(type: ElementType, props: Props, key?: Key) {
  return react.jsx(type, withVisibleText(props), key);
}

/** The same for several children that are written one by one. */
export function jsxs(type: ElementType, props: Props, key?: Key) {
  return react.jsxs(type, withVisibleText(props), key);
}

function withVisibleText(props: Props): Props {
  return props.children === undefined
    ? props
    : { ...props, children: visibleChildren(props.children) };
}
