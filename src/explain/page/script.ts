/**
 * What runs in the page. It is put there as its own text, so it uses nothing from outside of the function; and the little
 * of the DOM that it touches is declared here, as the rest of the project must not see any.
 */
interface PageElement {
  readonly dataset: Readonly<Record<string, string | undefined>>;
  readonly classList: { add(name: string): void; remove(name: string): void };
  readonly textContent: string | null;
  readonly children: ArrayLike<PageElement>;
  open?: boolean;
  tabIndex: number;
  closest(selector: string): PageElement | null;
  querySelector(selector: string): PageElement | null;
  querySelectorAll(selector: string): Iterable<PageElement>;
  setAttribute(name: string, value: string): void;
  replaceChildren(...texts: readonly string[]): void;
  focus(options?: { readonly preventScroll?: boolean }): void;
  scrollIntoView(options: { readonly block: 'nearest' }): void;
}

interface PageEvent {
  readonly target: PageElement;
  readonly key?: string;
  preventDefault(): void;
}

declare const document: PageElement & {
  readonly activeElement: PageElement | null;
  addEventListener(name: string, listener: (event: PageEvent) => void): void;
};

export function pageScript(): void {
  const status = document.querySelector('#status')!;
  const idle = status.textContent!;
  let lit: PageElement[] = [];

  /** Lights up a field and its bytes, wherever in the two the element stands. */
  const show = (element: PageElement | null): void => {
    for (const old of lit) old.classList.remove('lit');
    const part = element?.closest('[data-f]') ?? null;
    const body = part?.closest('.body') ?? null;
    lit = body === null ? [] : [...body.querySelectorAll(`[data-f="${part!.dataset['f']}"]`)];
    for (const each of lit) each.classList.add('lit');
    const cells = lit.find((each) => each.children.length > 0)?.children;
    if (cells === undefined) status.replaceChildren(idle);
    else {
      const [at, path, value, meaning] = Array.from(cells, (cell) => cell.textContent!);
      status.replaceChildren(`${at}  ${path} = ${value}${meaning === '' ? '' : `  (${meaning})`}`);
    }
  };

  const go = (row: PageElement | null | undefined): void => {
    if (row === null || row === undefined) return;
    const table = row.closest('tbody')!;
    for (const each of table.querySelectorAll('tr')) each.tabIndex = each === row ? 0 : -1;
    row.focus({ preventScroll: true });
    row.scrollIntoView({ block: 'nearest' });
  };

  document.addEventListener('pointerover', ({ target }) =>
    show(target.closest('[data-f]') === null ? document.activeElement : target),
  );
  document.addEventListener('focusin', ({ target }) => show(target));
  document.addEventListener('focusout', () => show(null));

  document.addEventListener('click', ({ target }) => {
    const part = target.closest('[data-f]');
    if (part !== null) go(part.closest('.body')!.querySelector(`tr[data-f="${part.dataset['f']}"]`));
    const level = target.closest('[data-level]');
    if (level === null) return;
    for (const each of document.querySelectorAll('[data-level]'))
      each.setAttribute('aria-pressed', String(each === level));
    for (const piece of document.querySelectorAll('.piece > details')) piece.open = level.dataset['level'] !== '0';
    for (const message of document.querySelectorAll('.message')) message.open = level.dataset['level'] === '2';
  });

  document.addEventListener('keydown', (event) => {
    const row = event.target.closest('tr[data-f]');
    if (row === null) return;
    const rows = [...row.closest('tbody')!.querySelectorAll('tr')];
    const index = rows.indexOf(row);
    const next = { ArrowDown: index + 1, ArrowUp: index - 1, Home: 0, End: rows.length - 1 }[event.key ?? ''];
    if (next === undefined) return;
    event.preventDefault();
    go(rows[next]);
  });
}
