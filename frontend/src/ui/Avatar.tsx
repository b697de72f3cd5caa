const HUES = ['#6a58dc', '#177a5c', '#b24e15', '#2268c0', '#a33584', '#5d6a17'];

/** The first letter on a colour that is always the same for a name. */
export function Avatar({ name }: { name: string }) {
  const hash = [...name].reduce((sum, char) => (sum * 31 + char.charCodeAt(0)) >>> 0, 7);
  return (
    <span
      aria-hidden
      className="inline-flex size-[18px] shrink-0 items-center justify-center rounded-full text-[9.5px] font-semibold text-[#fff] uppercase"
      style={{ background: HUES[hash % HUES.length] }}
    >
      {[...name][0]}
    </span>
  );
}
