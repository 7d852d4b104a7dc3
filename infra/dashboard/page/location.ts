import { observable, useObservable } from './observable.ts';

/** The path and the query of the page's URL. */
export const currentUrl = observable(`${location.pathname}${location.search}`);

const update = () => currentUrl.set(`${location.pathname}${location.search}`);

export function startLocation(): void {
  addEventListener('popstate', update);
  // Links are ordinary, so they also open in a new tab, but a plain click needn't reload the page.
  document.addEventListener('click', event => {
    const link = event.target instanceof Element ? event.target.closest('a') : null;
    const isPlain =
      event.button === 0 && !event.metaKey && !event.ctrlKey && !event.shiftKey && !event.altKey;
    if (!link || !isPlain || link.target || link.origin !== location.origin) return;
    event.preventDefault();
    navigate(`${link.pathname}${link.search}`);
  });
}

export function navigate(path: string): void {
  if (path !== currentUrl.value) history.pushState(null, '', path);
  update();
  scrollTo(0, 0);
}

export function useUrlQuery(): URLSearchParams {
  return new URLSearchParams(useObservable(currentUrl).split('?')[1]);
}

/** Whether the URL asks for the page's add dialog, so that the palette can open it. */
export function useNewInUrl(): [isOpen: boolean, setOpen: (isOpen: boolean) => void] {
  const query = useUrlQuery();
  const setOpen = (isOpen: boolean) => {
    if (isOpen) query.set('new', '');
    else query.delete('new');
    replaceQuery(query);
  };
  return [query.has('new'), setOpen];
}

/** Changes the query of the URL without a new history entry: typing a filter is not navigating. */
export function replaceQuery(query: URLSearchParams): void {
  const text = query.toString();
  history.replaceState(null, '', text ? `${location.pathname}?${text}` : location.pathname);
  update();
}
