import { autocompletion, closeBrackets } from '@codemirror/autocomplete';
import { defaultKeymap, history, historyKeymap } from '@codemirror/commands';
import { json, jsonParseLinter } from '@codemirror/lang-json';
import { bracketMatching, HighlightStyle, indentOnInput, syntaxHighlighting } from '@codemirror/language';
import { linter, lintGutter } from '@codemirror/lint';
import { EditorState } from '@codemirror/state';
import { drawSelection, EditorView, keymap, lineNumbers } from '@codemirror/view';
import { tags } from '@lezer/highlight';
import { useEffect, useRef } from 'react';

const colours = HighlightStyle.define([
  { tag: tags.propertyName, color: 'var(--fg)' },
  { tag: tags.string, color: 'var(--ansi-2)' },
  { tag: tags.number, color: 'var(--ansi-4)' },
  { tag: [tags.bool, tags.null], color: 'var(--ansi-5)' },
  { tag: [tags.punctuation, tags.separator, tags.brace, tags.squareBracket], color: 'var(--fg-3)' },
]);

const theme = EditorView.theme({
  '&': { fontSize: '12px', height: '100%', backgroundColor: 'var(--sunken)', color: 'var(--fg)' },
  '&.cm-focused': { outline: 'none' },
  '.cm-scroller': { fontFamily: 'var(--font-mono)', lineHeight: '19px' },
  '.cm-content': { padding: '8px 0', caretColor: 'var(--accent-text)' },
  '.cm-gutters': { backgroundColor: 'var(--sunken)', color: 'var(--fg-3)', border: 'none', paddingLeft: '4px' },
  '.cm-cursor': { borderLeftColor: 'var(--accent-text)', borderLeftWidth: '2px' },
  '.cm-selectionBackground, &.cm-focused .cm-selectionBackground': {
    backgroundColor: 'color-mix(in srgb, var(--accent) 24%, transparent) !important',
  },
  '.cm-matchingBracket': { backgroundColor: 'var(--accent-soft)', outline: '1px solid var(--accent-line)' },
});

interface JsonEditorProps {
  label: string;
  /** The text at the beginning; afterwards the editor owns it. */
  value: string;
  onChange: (value: string) => void;
  readOnly?: boolean;
}

/** Load it with lazy(): it is heavy. Tab leaves the editor (no keyboard trap); errors stand in the gutter. */
export function JsonEditor({ label, value, onChange, readOnly = false }: JsonEditorProps) {
  const host = useRef<HTMLDivElement>(null);
  const report = useRef(onChange);
  report.current = onChange;

  // biome-ignore lint/correctness/useExhaustiveDependencies: the editor owns its text after it is made
  useEffect(() => {
    const parent = host.current;
    if (!parent) return;
    const extensions = [
      lineNumbers(),
      history(),
      drawSelection(),
      bracketMatching(),
      closeBrackets(),
      indentOnInput(),
      autocompletion(),
      syntaxHighlighting(colours),
      json(),
      linter(jsonParseLinter()),
      lintGutter(),
      theme,
      EditorState.readOnly.of(readOnly),
      EditorView.contentAttributes.of({ 'aria-label': label }),
      keymap.of([...defaultKeymap, ...historyKeymap]),
      EditorView.updateListener.of((update) => {
        if (update.docChanged) report.current(update.state.doc.toString());
      }),
    ];
    const view = new EditorView({ parent, state: EditorState.create({ doc: value, extensions }) });
    // Opened inside an animating dialog it measures too early, and the line numbers stand half a line off.
    const frame = requestAnimationFrame(() => view.requestMeasure());
    const later = setTimeout(() => view.requestMeasure(), 150);
    return () => {
      cancelAnimationFrame(frame);
      clearTimeout(later);
      view.destroy();
    };
  }, [label, readOnly]);

  return <div ref={host} className="h-full min-h-0 overflow-hidden" />;
}

export default JsonEditor;
