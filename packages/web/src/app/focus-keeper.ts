/** What can take the focus, by a key or by a script. */
const focusable =
  '[tabindex], a[href], button:enabled, input:enabled, select:enabled, textarea:enabled';

/**
 * Gives the focus a place when the element that has it disappears or is disabled: the nearest part around it
 * that is left, else the one around the last place within the view, else the view. Without this the browser gives it
 * to the body, and somebody without a mouse starts at the top of the page again.
 */
export function keepFocus(): void {
  let last: readonly Element[] = [];
  let lastInView: readonly Element[] = [];
  let isWaiting = false;
  const remember = ({ target }: FocusEvent) => {
    if (!(target instanceof Element)) return;
    last = pathOf(target);
    if (last.some(({ id }) => id === 'main')) lastInView = last;
  };
  const restore = () => {
    isWaiting = false;
    const [element] = last;
    if (!isLost() || !element || canFocus(element)) return;
    const view = document.getElementById('main');
    const next = [...last, ...lastInView, ...(view ? [view] : [])].find(canFocus);
    if (next instanceof HTMLElement) next.focus({ preventScroll: true });
  };
  const observer = new MutationObserver(() => {
    if (isWaiting || !isLost()) return;
    isWaiting = true;
    // A dialog that ends gives the focus back one frame later.
    requestAnimationFrame(() => requestAnimationFrame(restore));
  });
  observer.observe(document.body, {
    childList: true,
    subtree: true,
    attributes: true,
    attributeFilter: ['disabled'],
  });
  addEventListener('focusin', remember);
}

function isLost(): boolean {
  return document.activeElement === null || document.activeElement === document.body;
}

function canFocus(element: Element): boolean {
  return element.isConnected && element.matches(focusable) && element.getClientRects().length > 0;
}

/** The element and what it stands in, from the inside. */
function pathOf(element: Element): Element[] {
  const path: Element[] = [];
  for (let at: Element | null = element; at && at !== document.body; at = at.parentElement) {
    path.push(at);
  }
  return path;
}
